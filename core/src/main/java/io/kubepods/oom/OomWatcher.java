package io.kubepods.oom;

import io.kubepods.kernel.Errno;
import io.kubepods.kernel.ErrorCounts;
import io.kubepods.kernel.KernelLog;

/**
 * Reads the kernel's log, a bounded number of records at a time, and says what each errno means:
 *
 * <ul>
 *   <li>EAGAIN: no record now; a fact.
 *   <li>EPIPE: records were overwritten before they were read. The next read goes on with the oldest there is, and its number
 *       tells how many were lost.
 *   <li>EINVAL: a record longer than the kernel's own buffer. It is skipped and counted.
 *   <li>anything else: trouble, counted; it is tried again the next time.
 * </ul>
 *
 * <p>Used by the thread that holds the sampler's lock.
 */
public final class OomWatcher {
    /** A report has about 100 records, that of a node's OOM one for each process; a log of 1 MiB has about 10,000. */
    static final int RECORDS_AT_ONCE = 10_000;

    private static final String FILE = "kmsg";

    private final KernelLog log;
    private final OomReports reports;
    private final ErrorCounts readErrors;
    private final ErrorCounts malformed;
    private final byte[] text = new byte[KernelLog.LONGEST_RECORD];
    private final KmsgRecord record = new KmsgRecord();
    private long records;
    private long tooLong;

    public OomWatcher(KernelLog log, OomReports reports, ErrorCounts readErrors, ErrorCounts malformed) {
        this.log = log;
        this.reports = reports;
        this.readErrors = readErrors;
        this.malformed = malformed;
    }

    /** How many records were read, the kernel's and others. */
    public long records() {
        return records;
    }

    /** How many records were longer than there was room for; they are among {@link OomReports#lost} too. */
    public long tooLong() {
        return tooLong;
    }

    /**
     * Reads the records there are, and gives out their kills.
     *
     * @param now {@link System#nanoTime()}
     * @return false when there may be more, for another time
     */
    public boolean read(long now) {
        for (int i = 0; i < RECORDS_AT_ONCE; i++) {
            int length = log.next(text);
            if (length >= 0) {
                records++;
                if (record.parse(text, length)) {
                    reports.accept(record);
                } else {
                    malformed.count(FILE, "malformed", FILE, now);
                }
            } else if (length == -Errno.EINVAL) {
                tooLong++;
            } else if (length != -Errno.EPIPE) {
                if (length != -Errno.EAGAIN) {
                    readErrors.count(FILE, Errno.name(-length), FILE, now);
                }
                reports.idle();
                return true;
            }
        }
        return false;
    }
}
