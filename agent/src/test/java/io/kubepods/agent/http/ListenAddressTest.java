package io.kubepods.agent.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ListenAddressTest {

    @ParameterizedTest
    @CsvSource(textBlock = """
                    :10990,             '',          10990
                    0.0.0.0:10990,      0.0.0.0,     10990
                    127.0.0.1:10990,    127.0.0.1,   10990
                    [::1]:10990,        ::1,         10990
                    [::]:65535,         ::,          65535
                    [fe80::1%eth0]:80,  fe80::1%eth0, 80
                    localhost:0,        localhost,   0
                    node-7.example:443, node-7.example, 443
                    """)
    void readsAndWritesEveryForm(String text, String host, int port) {
        ListenAddress address = ListenAddress.parse(text);

        assertEquals(new ListenAddress(host, port), address);
        assertEquals(text, address.toString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    ''                   | write host:port
                    10990                | write host:port
                    localhost            | write host:port
                    :                    | write host:port
                    localhost:           | write host:port
                    :http                | write host:port
                    :-1                  | write host:port
                    :+1                  | write host:port
                    ': 1'                | write host:port
                    :1234567890123       | write host:port
                    http://localhost:1   | write host:port
                    local host:1         | write host:port
                    []:1                 | no IPv6 address between the brackets
                    [localhost]:1        | no IPv6 address between the brackets
                    [127.0.0.1]:1        | no IPv6 address between the brackets
                    [::1                 | write host:port
                    ::1:10990            | needs brackets
                    fe80::1:10990        | needs brackets
                    :65536               | from 0 to 65535, not 65536
                    """)
    void saysWhatIsWrong(String text, String reason) {
        String message = assertThrows(IllegalArgumentException.class, () -> ListenAddress.parse(text))
                .toString();

        assertTrue(message.contains(reason), message);
        assertTrue(message.endsWith("."), message);
    }

    @Test
    void anEmptyHostIsEveryAddress() {
        assertTrue(ListenAddress.parse(":10990").resolve().getAddress().isAnyLocalAddress());
    }
}
