// These tests share the parsed sources, because parsing takes most of the time.
import './sources/notices.ts';
import './sources/regexes.ts';
