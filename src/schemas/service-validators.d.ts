// Generated from schemas/ by `npm run generate`. Do not edit.
import type { Validator } from './validator.ts';

export declare const serviceOutcome: Validator;
export declare const serviceAgentUpdated: Validator;
export declare const serviceAgentAnswer: Validator;
export declare const serviceCampaign: Validator;
export declare const serviceLiveAction: Validator;
export declare const serviceLiveSkill: Validator;
export declare const serviceAgentBody: Validator;
export declare const serviceTaskBody: Validator;
export declare const serviceAttachment: Validator;
export declare const serviceTaskCreated: Validator;
export declare const serviceTaskUpload: Validator;
export declare const serviceTasksUploaded: Validator;
export declare const serviceOrganizationCreated: Validator;
export declare const serviceAgentUrlSet: Validator;
export declare const serviceConversations: Validator;
export declare const serviceRoom: Validator;
export declare const serviceOrganizationBody: Validator;
export declare const serviceMemberInvitation: Validator;
export declare const serviceMemberUpdate: Validator;
export declare const serviceContextBody: Validator;
export declare const serviceAgentUrlBody: Validator;
export declare const servicePhoneNumberBody: Validator;
