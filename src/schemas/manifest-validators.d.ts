// Generated from schemas/ by `npm run generate`. Do not edit.
import type { Validator } from './validator.ts';

export declare const authoredAgent: Validator;
export declare const resolvedAgent: Validator;
export declare const authoredOrganization: Validator;
export declare const resolvedOrganization: Validator;
export declare const authoredMember: Validator;
export declare const resolvedMember: Validator;
export declare const authoredAgentUrl: Validator;
export declare const resolvedAgentUrl: Validator;
export declare const authoredPhoneNumber: Validator;
export declare const resolvedPhoneNumber: Validator;
export declare const authoredContext: Validator;
export declare const resolvedContext: Validator;
