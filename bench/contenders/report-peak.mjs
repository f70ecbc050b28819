// Preloaded into a run whose memory is measured: writes the peak of its resident memory, in bytes, when it exits.
import { readFileSync, writeFileSync } from 'node:fs';

process.on('exit', () => writeFileSync(process.env.BENCH_PEAK_FILE, String(peakBytes())));

/** maxRSS on Linux begins with that of the process that forked this one, so the high-water mark of /proc goes first. */
function peakBytes() {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]) * 1024;
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
}
