package io.kubepods.agent;

import io.kubepods.agent.http.Response;

/** What a person sees who opens the port in a browser. */
final class LandingPage {
    private LandingPage() {}

    static Response of(Config config) {
        return Response.html("""
                <!doctype html>
                <html lang="en">
                <head><meta charset="utf-8"><title>kubepods-exporter</title></head>
                <body>
                <h1>kubepods-exporter</h1>
                <p>Version %s: what the kernel really does to every pod's requests and limits.</p>
                <ul>
                <li><a href="%s">Metrics</a></li>
                <li><a href="/healthz">Health</a></li>
                <li><a href="/readyz">Readiness</a></li>
                </ul>
                </body>
                </html>
                """.formatted(Main.version(), escaped(config.telemetryPath())));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }
}
