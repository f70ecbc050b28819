// Generated from schemas/ by `npm run generate`. Do not edit.

/** The pattern for names of resources and environments. */
export const namePattern = '^(?!(con|prn|aux|nul|(com|lpt)[0-9])$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$';
