// Generated from schemas/ by `npm run generate`. Do not edit.

export const knownKeys: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "Project": {
    "": [
      "apiVersion",
      "kind",
      "name",
      "manifests",
      "defaultEnvironment",
      "removed",
      "record",
      "limits",
      "lint",
      "service",
      "environments"
    ],
    "/record": [
      "store",
      "branch",
      "remote",
      "url",
      "schema"
    ],
    "/limits": [
      "creates"
    ],
    "/lint/*": [
      "level",
      "max"
    ],
    "/service": [
      "publish",
      "readBack",
      "parameters"
    ],
    "/service/parameters": [
      "resellerId",
      "pagination",
      "page",
      "pageSize",
      "unread"
    ],
    "/environments/*": [
      "baseUrl",
      "token",
      "query",
      "resellerId",
      "variables",
      "requires",
      "rollout",
      "tests",
      "unanswered",
      "unverified"
    ],
    "/environments/*/requires": [
      "environment",
      "for"
    ],
    "/environments/*/rollout": [
      "steps",
      "stop"
    ],
    "/environments/*/rollout/steps/*": [
      "select",
      "share",
      "after"
    ],
    "/environments/*/rollout/stop": [
      "failed",
      "held"
    ]
  },
  "Task": {
    "": [
      "apiVersion",
      "kind",
      "settings"
    ],
    "/settings": [
      "type",
      "target",
      "message",
      "context",
      "greeting",
      "waitToGreet",
      "accountId",
      "scheduledFor",
      "meta"
    ],
    "/settings/meta": [
      "email",
      "bridgeAfterAnswer"
    ],
    "/settings/meta/email": [
      "subject",
      "attachments"
    ],
    "/settings/meta/email/attachments/*": [
      "file",
      "filename",
      "type",
      "content",
      "disposition"
    ],
    "/settings/meta/bridgeAfterAnswer": [
      "destination",
      "monitor"
    ]
  },
  "Fleet": {
    "": [
      "apiVersion",
      "kind",
      "name",
      "onlyIn",
      "templates",
      "members",
      "overrides",
      "labels",
      "environments"
    ],
    "/members": [
      "file"
    ],
    "/environments/*": [
      "members"
    ],
    "/environments/*/members": [
      "file"
    ]
  },
  "Policy": {
    "": [
      "apiVersion",
      "kind",
      "name",
      "match",
      "rules",
      "exceptions"
    ],
    "/match": [
      "kinds",
      "environments",
      "names",
      "selector"
    ],
    "/rules/*": [
      "deny",
      "warn",
      "message"
    ],
    "/exceptions/*": [
      "name",
      "kind",
      "reason",
      "until"
    ]
  },
  "Test": {
    "": [
      "apiVersion",
      "kind",
      "name",
      "agents",
      "selector",
      "onlyIn",
      "cases"
    ],
    "/cases/*": [
      "name",
      "call",
      "silence",
      "interruption",
      "interruptions",
      "transfer",
      "text",
      "expect"
    ],
    "/cases/*/call": [
      "callerName"
    ],
    "/cases/*/interruption": [
      "words",
      "speakingFor"
    ],
    "/cases/*/transfer": [
      "answered",
      "says",
      "presses",
      "after"
    ],
    "/cases/*/expect": [
      "answer",
      "reject",
      "transfer",
      "asks",
      "hangUpAfter",
      "interrupts",
      "delay",
      "bridged",
      "contains",
      "notContains",
      "matches",
      "words",
      "settings"
    ],
    "/cases/*/expect/words": [
      "atLeast",
      "atMost"
    ]
  },
  "Agent": {
    "": [
      "apiVersion",
      "kind",
      "name",
      "renamedFrom",
      "onlyIn",
      "extends",
      "variables",
      "labels",
      "organization",
      "settings",
      "skills",
      "apps",
      "backgroundAudio",
      "transferRules",
      "extraSettings",
      "target",
      "environments"
    ],
    "/settings": [
      "type",
      "title",
      "description",
      "welcomeMessage",
      "links",
      "actions",
      "timezone",
      "agentVoice",
      "agentLang",
      "agentInstructions",
      "publicInstructions",
      "adminInstructions",
      "heartbeatInstructions",
      "heartbeatEvery",
      "agentModel",
      "agentThinking",
      "agentThinkingModel",
      "postConvoForceThinking",
      "agentS2SEngine",
      "agentSttEngine",
      "agentSttSmartFormatting",
      "postAnswerDtmf",
      "waitOnAnswer",
      "interruptionWordCount",
      "interruptionMinimumSpeakingTime",
      "speakingTimeout",
      "speechProcessingDelay",
      "speechProcessingDelayInterruptionStep",
      "speechProcessingDelayMaxMultiplier",
      "callerResponseTimeout",
      "callerResponseTimeoutHangupCounter",
      "noContactInjection",
      "noConvoHistory",
      "autoRecordingNotification",
      "recordingNotificationPhrase",
      "preAnswerRingTime",
      "preAnswerSkipProcessingResults"
    ],
    "/skills/*": [
      "slug",
      "instructions"
    ],
    "/apps/*": [
      "appId",
      "version",
      "instructions"
    ],
    "/backgroundAudio": [
      "url",
      "loop",
      "gain",
      "startAfterGreeting",
      "track"
    ],
    "/transferRules": [
      "cnamAutoRejectRegex",
      "cnamAutoRejectCode",
      "cnamAutoTransferRegex",
      "cnamAutoTransferDestination",
      "confirmTransfers",
      "monitorTransfers",
      "attendedTransfers",
      "attendedTransferBridgeTrigger",
      "transferConfirmTimeout"
    ],
    "/target": [
      "agentId",
      "campaignId",
      "token",
      "query"
    ],
    "/environments/*": [
      "variables",
      "labels",
      "settings",
      "skills",
      "apps",
      "backgroundAudio",
      "transferRules",
      "extraSettings",
      "target"
    ],
    "/environments/*/settings": [
      "type",
      "title",
      "description",
      "welcomeMessage",
      "links",
      "actions",
      "timezone",
      "agentVoice",
      "agentLang",
      "agentInstructions",
      "publicInstructions",
      "adminInstructions",
      "heartbeatInstructions",
      "heartbeatEvery",
      "agentModel",
      "agentThinking",
      "agentThinkingModel",
      "postConvoForceThinking",
      "agentS2SEngine",
      "agentSttEngine",
      "agentSttSmartFormatting",
      "postAnswerDtmf",
      "waitOnAnswer",
      "interruptionWordCount",
      "interruptionMinimumSpeakingTime",
      "speakingTimeout",
      "speechProcessingDelay",
      "speechProcessingDelayInterruptionStep",
      "speechProcessingDelayMaxMultiplier",
      "callerResponseTimeout",
      "callerResponseTimeoutHangupCounter",
      "noContactInjection",
      "noConvoHistory",
      "autoRecordingNotification",
      "recordingNotificationPhrase",
      "preAnswerRingTime",
      "preAnswerSkipProcessingResults"
    ],
    "/environments/*/skills/*": [
      "slug",
      "instructions"
    ],
    "/environments/*/apps/*": [
      "appId",
      "version",
      "instructions"
    ],
    "/environments/*/backgroundAudio": [
      "url",
      "loop",
      "gain",
      "startAfterGreeting",
      "track"
    ],
    "/environments/*/transferRules": [
      "cnamAutoRejectRegex",
      "cnamAutoRejectCode",
      "cnamAutoTransferRegex",
      "cnamAutoTransferDestination",
      "confirmTransfers",
      "monitorTransfers",
      "attendedTransfers",
      "attendedTransferBridgeTrigger",
      "transferConfirmTimeout"
    ],
    "/environments/*/target": [
      "agentId",
      "campaignId",
      "token",
      "query"
    ]
  },
  "Organization": {
    "": [
      "apiVersion",
      "kind",
      "name",
      "renamedFrom",
      "onlyIn",
      "extends",
      "variables",
      "labels",
      "resellerId",
      "settings",
      "target",
      "environments"
    ],
    "/settings": [
      "orgName",
      "email",
      "accountName",
      "orgAccountType",
      "productPlanId",
      "offeredProductPlanId",
      "externalAccountId",
      "externalBillingId",
      "hipaaSetting",
      "numberingProviders",
      "servicePremium",
      "smsEnabled",
      "smsBrandId",
      "smsCampaignId",
      "integrations"
    ],
    "/settings/numberingProviders/*": [
      "providerId",
      "config",
      "default"
    ],
    "/settings/integrations/*": [
      "appId",
      "appVersion",
      "appData"
    ],
    "/target": [
      "token",
      "query"
    ],
    "/environments/*": [
      "variables",
      "labels",
      "resellerId",
      "settings",
      "target"
    ],
    "/environments/*/settings": [
      "orgName",
      "email",
      "accountName",
      "orgAccountType",
      "productPlanId",
      "offeredProductPlanId",
      "externalAccountId",
      "externalBillingId",
      "hipaaSetting",
      "numberingProviders",
      "servicePremium",
      "smsEnabled",
      "smsBrandId",
      "smsCampaignId",
      "integrations"
    ],
    "/environments/*/settings/numberingProviders/*": [
      "providerId",
      "config",
      "default"
    ],
    "/environments/*/settings/integrations/*": [
      "appId",
      "appVersion",
      "appData"
    ],
    "/environments/*/target": [
      "token",
      "query"
    ]
  },
  "Member": {
    "": [
      "apiVersion",
      "kind",
      "name",
      "renamedFrom",
      "onlyIn",
      "extends",
      "variables",
      "labels",
      "memberId",
      "organization",
      "settings",
      "target",
      "environments"
    ],
    "/settings": [
      "email",
      "redirectUrl",
      "role",
      "permittedAccountIds",
      "sendWelcomeEmail"
    ],
    "/target": [
      "token",
      "query"
    ],
    "/environments/*": [
      "variables",
      "labels",
      "memberId",
      "settings",
      "target"
    ],
    "/environments/*/settings": [
      "email",
      "redirectUrl",
      "role",
      "permittedAccountIds",
      "sendWelcomeEmail"
    ],
    "/environments/*/target": [
      "token",
      "query"
    ]
  },
  "AgentUrl": {
    "": [
      "apiVersion",
      "kind",
      "name",
      "renamedFrom",
      "onlyIn",
      "extends",
      "variables",
      "labels",
      "organization",
      "settings",
      "target",
      "environments"
    ],
    "/settings": [
      "targetUsername",
      "slug"
    ],
    "/target": [
      "token",
      "query"
    ],
    "/environments/*": [
      "variables",
      "labels",
      "settings",
      "target"
    ],
    "/environments/*/settings": [
      "targetUsername",
      "slug"
    ],
    "/environments/*/target": [
      "token",
      "query"
    ]
  },
  "PhoneNumber": {
    "": [
      "apiVersion",
      "kind",
      "name",
      "renamedFrom",
      "onlyIn",
      "extends",
      "variables",
      "labels",
      "agent",
      "organization",
      "settings",
      "target",
      "environments"
    ],
    "/settings": [
      "number"
    ],
    "/target": [
      "token",
      "query"
    ],
    "/environments/*": [
      "variables",
      "labels",
      "agent",
      "settings",
      "target"
    ],
    "/environments/*/settings": [
      "number"
    ],
    "/environments/*/target": [
      "token",
      "query"
    ]
  },
  "Context": {
    "": [
      "apiVersion",
      "kind",
      "name",
      "renamedFrom",
      "onlyIn",
      "extends",
      "variables",
      "labels",
      "organization",
      "settings",
      "target",
      "environments"
    ],
    "/settings": [
      "context",
      "target"
    ],
    "/target": [
      "token",
      "query"
    ],
    "/environments/*": [
      "variables",
      "labels",
      "settings",
      "target"
    ],
    "/environments/*/settings": [
      "context",
      "target"
    ],
    "/environments/*/target": [
      "token",
      "query"
    ]
  }
};
