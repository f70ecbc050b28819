// These tests share one parse of all sources, which takes most of their time.
import './sources/notices.ts';
import './sources/regexes.ts';
