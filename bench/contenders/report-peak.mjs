// Preloaded into a measured run. Writes the run's peak resident memory, in bytes, when it exits.
import { readFileSync, writeFileSync } from 'node:fs';

process.on('exit', () => writeFileSync(process.env.BENCH_PEAK_FILE, String(peakBytes())));

/**
 * On Linux, maxRSS includes the memory of the process that forked this one, so the high-water mark of /proc is
 * preferred.
 */
function peakBytes() {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]) * 1024;
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
}
