// Generated from schemas/ by `npm run generate`. Do not edit.
import type { Validator } from './validator.ts';

export declare const serviceOutcome: Validator;
export declare const serviceAgentUpdated: Validator;
export declare const serviceAgentAnswer: Validator;
export declare const serviceCampaign: Validator;
export declare const serviceLiveAction: Validator;
export declare const serviceLiveSkill: Validator;
export declare const serviceAgentBody: Validator;
