import { describe, expect, test } from '@jest/globals';
import { validateProject } from '../../../src/manifest/resolve/validate-project.ts';
import { lintRules } from '../../../src/yaml/rules.ts';
import { agent, makeProject, projectFile, resolve, rowProblems } from '../temp-project.ts';

const rulesOf = async (settings: string, transfers = '', rest = ''): Promise<string[]> => {
  const sections = `${transfers === '' ? '' : `transferRules: { ${transfers} }\n`}${rest}`;
  const { problems } = await resolve({ 'agents/a.yaml': agent(settings, sections) }, { secrets: 'names' });
  expect(problems.every(({ severity }) => severity === 'warning')).toBe(true);
  return problems.map(({ rule }) => rule);
};

describe('settings without effect', () => {
  test.each([
    ['attended-over-confirm', '', 'confirmTransfers: true, attendedTransfers: true'],
    ['recording-phrase-unused', 'recordingNotificationPhrase: x\nautoRecordingNotification: false', ''],
    ['recording-phrase-unused', "recordingNotificationPhrase: x\nautoRecordingNotification: 'false'", ''],
    ['thinking-model-unused', 'agentThinkingModel: m', ''],
    ['thinking-model-unused', 'agentThinkingModel: m\npostConvoForceThinking: false', ''],
    ['force-thinking-unused', 'postConvoForceThinking: true\nagentThinking: low', ''],
    ['reject-code-unused', '', 'cnamAutoRejectCode: 603'],
    ['reject-code-unused', '', 'cnamAutoRejectCode: 603, cnamAutoRejectRegex: null'],
    ['transfer-destination-unused', '', 'cnamAutoTransferDestination: ext:1'],
    ['same-caller-regex', '', 'cnamAutoTransferDestination: ext:1, cnamAutoTransferRegex: a, cnamAutoRejectRegex: a'],
    ['confirm-timeout-unused', '', 'transferConfirmTimeout: 10'],
    ['bridge-trigger-unused', '', 'attendedTransferBridgeTrigger: any'],
    ['heartbeat-interval-unused', 'heartbeatEvery: 30m', ''],
    ['duplicate-item', 'actions: [a, b, a]', ''],
  ])('The lint rule %s reports the settings: %s %s', async (rule, settings, transfers) => {
    expect(await rulesOf(settings, transfers)).toEqual([rule]);
  });

  test.each([
    ['confirm alone', '', 'confirmTransfers: true, transferConfirmTimeout: 10'],
    ['attended with a timeout', '', 'confirmTransfers: false, attendedTransfers: true, transferConfirmTimeout: 10'],
    ['a phrase that is spoken', 'recordingNotificationPhrase: x\nautoRecordingNotification: always', ''],
    ['a model for after the conversation', 'agentThinkingModel: m\npostConvoForceThinking: true', ''],
    ['a model for an action', 'agentThinkingModel: m\nactions: [pauseAndThink]', ''],
    ['a model for instructions', 'agentThinkingModel: m\nagentInstructions: Call pauseAndThink before answering.', ''],
    ['a model with instructions that are secret', 'agentThinkingModel: m\nagentInstructions: "${secret.TEXT}"', ''],
    ['a code with a regex', '', 'cnamAutoRejectCode: 603, cnamAutoRejectRegex: a'],
    ['a regex that is secret', '', 'cnamAutoRejectCode: 603, cnamAutoRejectRegex: "${secret.R}"'],
    ['a trigger that is null', '', 'attendedTransferBridgeTrigger: null'],
    ['a heartbeat', 'heartbeatEvery: 30m\nheartbeatInstructions: Say hello.', ''],
  ])('The lint does not report %s.', async (_case, settings, transfers) => {
    expect(await rulesOf(settings, transfers)).toEqual([]);
  });

  test('The message about a setting without effect gives the reason, and points at it.', async () => {
    expect(await rowProblems(agent('', 'transferRules:\n  confirmTransfers: true\n  attendedTransfers: true'))).toEqual(
      [
        'agents/a.yaml:8:21 transferRules.confirmTransfers has no effect: attendedTransfers is true and overrides it [because of this agents/a.yaml:9:22]',
      ],
    );
  });

  test('The lint of settings counts extraSettings as sent.', async () => {
    const rest = 'extraSettings: { attendedTransfers: "yes" }';
    expect(await rulesOf('', 'transferConfirmTimeout: 10', rest)).toEqual([]);
  });
});

describe('extraSettings', () => {
  test('An extra setting that overrides a section is a warning.', async () => {
    const text = agent('agentSttEngine: stt_a', 'extraSettings: { agentSttEngine: nova, other: 1 }');
    const { desired, problems } = await resolve({ 'agents/a.yaml': text });
    expect(desired[0]?.sections).toEqual({
      settings: { title: 'Desk', description: 'd', agentSttEngine: 'nova' },
      extraSettings: { other: 1 },
    });
    expect(problems).toMatchObject([
      {
        rule: 'extra-setting-shadows',
        message: 'extraSettings.agentSttEngine is sent instead of settings.agentSttEngine, and is not validated',
        at: { line: 8, column: 18 },
      },
    ]);
  });

  test('An extra setting that fits the schema causes a hint to declare it.', async () => {
    expect(await rowProblems(agent('', 'extraSettings: { agentVoice: v, agentSttEngine: nova, skills: [] }'))).toEqual([
      'agents/a.yaml:7:18 extraSettings.agentVoice can be declared under settings, where it is validated',
      'agents/a.yaml:7:55 extraSettings.skills can be declared at the top level, where it is validated',
    ]);
  });

  test('An extra setting may provide a required setting, and replace a whole section.', async () => {
    const text =
      'apiVersion: agentform/v1\nkind: Agent\nname: desk\nsettings: { description: d }\nskills: []\nextraSettings: { title: 5, skills: {} }\n';
    expect(await rowProblems(text)).toEqual([
      'agents/a.yaml:6:28 extraSettings.skills is sent instead of skills, and is not validated [not sent agents/a.yaml:5:9]',
    ]);
  });

  test('A number that would lose digits is an error.', async () => {
    expect(await rowProblems(agent('', 'extraSettings: { id: 12345678901234567890 }'))).toEqual([
      "agents/a.yaml:7:22 the number 12345678901234567890 would lose digits; quote it: '12345678901234567890'",
    ]);
    expect(await rowProblems(agent('speakingTimeout: 99999999999999999999'))).toEqual([
      'agents/a.yaml:7:20 the number 99999999999999999999 would lose digits: an integer may be at most 9007199254740991',
    ]);
  });

  test('A number that would lose digits and is not allowed at its place is reported once.', async () => {
    expect(await rowProblems(agent('links: [12345678901234567890]'))).toEqual([
      "agents/a.yaml:7:11 settings.links[0] is 12345678901234567890: expected a string; quote it: '12345678901234567890'",
    ]);
  });

  test('An extra setting may have the name file.', async () => {
    const { desired } = await resolve({ 'agents/a.yaml': agent('', 'extraSettings: { file: x }') });
    expect(desired[0]?.sections.extraSettings).toEqual({ file: 'x' });
  });
});

describe('lint levels', () => {
  const withLevel = async (level: string) => {
    const files = { 'agentform.yaml': `${projectFile}lint: { reject-code-unused: ${level} }\n` };
    const project = await makeProject({
      ...files,
      'agents/a.yaml': agent('', 'transferRules: { cnamAutoRejectCode: 600 }'),
    });
    return (await validateProject(project, { env: {} })).problems.map(({ severity }) => severity);
  };

  test('The project can turn a lint rule off or into an error.', async () => {
    expect(await withLevel('off')).toEqual([]);
    expect(await withLevel('warn')).toEqual(['warning']);
    expect(await withLevel('error')).toEqual(['error']);
  });

  test('A lint error keeps the resource out of the desired state.', async () => {
    const files = { 'agentform.yaml': `${projectFile}lint: { reject-code-unused: error }\n` };
    const { desired } = await resolve({
      ...files,
      'agents/a.yaml': agent('', 'transferRules: { cnamAutoRejectCode: 600 }'),
    });
    expect(desired).toEqual([]);
  });
});

test('Every lint rule has a name, a sentence and a level, and the names are sorted.', () => {
  const names = lintRules.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)].sort());
  expect(lintRules.filter(({ description, level }) => !/\.$/.test(description) || level !== 'warn')).toEqual([]);
});
