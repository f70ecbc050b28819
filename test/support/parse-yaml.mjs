// Parses a file of 60,000 values, the maximum for a project. The time that this takes shows the speed of the machine.
import { parse } from 'yaml';

parse('- { title: a, instructions: b, slug: c }\n'.repeat(20_000));
