// Generated from schemas/ by `npm run generate`. Do not edit.
import type { Validator } from './validator.ts';

export declare const authored: Validator;
export declare const resolved: Validator;
