import { describe, expect, test } from '@jest/globals';
import { server, useIndependentServer } from '../../support/independent-suite.ts';
import { shareProcess } from '../../support/shared-process.ts';
import { everything, filesOf, imported, onlyDescription, pendingPaths, project, seed, token } from './imports.ts';

shareProcess();

useIndependentServer();

/** The manifest that a person would write for `everything`, with the agent id ID. */
const wholeManifest = `# yaml-language-server: $schema=../.agentform/schemas/manifest.schema.json
apiVersion: agentform/v1
kind: Agent
name: front-desk
settings:
  title: Front desk
  description: Answers the phone
  welcomeMessage: "Grüß Gott 👋: how can I help? #1  "
  links:
    - https://a.example/x
    - https://b.example/y
  actions:
    - transfer
    - book
  timezone: Europe/Vienna
  agentVoice: warm-1
  agentLang: es-MX
  agentInstructions: { file: ../prompts/front-desk.md }
  publicInstructions: { file: ../prompts/front-desk/public-instructions.md }
  adminInstructions: "\\ufeffstarts with a mark\\nand goes on"
  heartbeatInstructions: { file: ../prompts/front-desk/heartbeat-instructions.md }
  heartbeatEvery: 30m
  agentModel: "1.5"
  agentThinking: low
skills:
  - slug: calendar
    instructions: Offer two times.
  - slug: Größe/2
    instructions: { file: ../prompts/front-desk/skills/gr-e-2.md }
apps:
  - appId: pay
    version: "2"
    instructions: "yes"
# The service does not return these settings, so they are not declared here and keep their values. To manage one of
# them, declare it with the value you want.
#   settings: agentThinkingModel, postConvoForceThinking, agentS2SEngine, agentSttEngine, agentSttSmartFormatting,
#     postAnswerDtmf, waitOnAnswer, interruptionWordCount, interruptionMinimumSpeakingTime, speakingTimeout,
#     speechProcessingDelay, speechProcessingDelayInterruptionStep, speechProcessingDelayMaxMultiplier,
#     callerResponseTimeout, callerResponseTimeoutHangupCounter, noContactInjection, noConvoHistory,
#     autoRecordingNotification, recordingNotificationPhrase, preAnswerRingTime, preAnswerSkipProcessingResults
#   backgroundAudio
#   transferRules: cnamAutoRejectRegex, cnamAutoRejectCode, cnamAutoTransferRegex, cnamAutoTransferDestination,
#     confirmTransfers, monitorTransfers, attendedTransfers, attendedTransferBridgeTrigger, transferConfirmTimeout
environments:
  test:
    target:
      agentId: ID
`;

describe('an import of every readable setting', () => {
  test('An agent with every readable setting becomes a manifest that a person would have written.', async () => {
    server.quirks = { unknownFields: true };
    const id = seed(everything);
    const made = await project();
    expect(await imported(made, id)).toMatchObject({ code: 0 });
    expect(await made.read('agents/front-desk.yaml')).toBe(wholeManifest.replace('ID', id));
    expect(await made.read('prompts/front-desk.md')).toBe(
      '# Front desk\n\n- Be kind.   \n- Say $${var.clinic} and $$${x}.\n\n\n\n',
    );
    expect(await made.read('prompts/front-desk/heartbeat-instructions.md')).toBe(
      '  leading blanks\nand\ttabs\n---\nend\t\n',
    );
    expect(await made.read('prompts/front-desk/skills/gr-e-2.md')).toBe('One\nTwo\n\n');
  });

  test.each([{}, { unset: 'null', unknownFields: true, text: 'crlf' } as const])(
    'An agent with every readable setting is planned with its description only, and survives an apply: %j',
    async (quirks) => {
      server.quirks = quirks;
      const id = seed(everything);
      const made = await project();
      expect(await imported(made, id)).toMatchObject({ code: 0 });
      expect(await pendingPaths(made)).toEqual(onlyDescription);
      expect(await made.run('validate')).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('1 manifest valid'),
        stderr: '',
      });
      const files = (await filesOf(made)).filter((path) => !path.startsWith('.agentform'));
      const before = await Promise.all(files.map(made.read));
      expect(await made.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
      expect(await pendingPaths(made)).toEqual([]);
      expect(await imported(made, id, '--force')).toMatchObject({ code: 0 });
      expect(await Promise.all(files.map(made.read))).toEqual(before);
      expect(await pendingPaths(made)).toEqual([]);
    },
  );

  test('An agent with every readable setting is unchanged after the next apply, including white space.', async () => {
    const texts = {
      welcomeMessage: 'Hello?  ',
      agentInstructions: '# Desk\n\nBe kind.\n\n\n',
      publicInstructions: 'One line.\n',
    };
    const id = seed(texts);
    const made = await project();
    expect(await imported(made, id)).toMatchObject({ code: 0 });
    await made.edit('agents/front-desk.yaml', 'title: Front desk', 'title: Reception');
    expect(await made.run('apply', '--yes')).toMatchObject({ code: 0 });
    expect(server.agentOf(token)?.settings).toMatchObject({ title: 'Reception', ...texts });
  });

  test('An agent with no settings becomes a manifest with a title, a description and a target.', async () => {
    const id = seed({
      title: null,
      links: [],
      skills: [],
      agentLang: 'en-US',
      agentThinking: null,
      welcomeMessage: '  ',
    });
    const made = await project();
    expect(await imported(made, id)).toMatchObject({ code: 0 });
    const text = await made.read('agents/front-desk.yaml');
    expect(text.replace(/^#.*\n/gm, '')).toBe(
      `apiVersion: agentform/v1\nkind: Agent\nname: front-desk\nsettings:\n  title: ""\n  description: Answers the phone\nenvironments:\n  test:\n    target:\n      agentId: ${id}\n`,
    );
    expect(await pendingPaths(made)).toEqual(onlyDescription);
  });
});

describe('values that a manifest cannot hold', () => {
  test('An invalid value is imported under extraSettings, with a note.', async () => {
    const id = seed({ agentLang: 'tlh', timezone: 'Mars/Phobos', skills: [{ slug: 'a', instructions: null }] });
    const made = await project();
    const result = await imported(made, id);
    expect(result).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(
        'settings.timezone, settings.agentLang, skills: the live value does not pass validation',
      ),
    });
    expect(await made.read('agents/front-desk.yaml')).toContain(
      'extraSettings:\n  timezone: Mars/Phobos\n  agentLang: tlh\n  skills:\n    - slug: a\n      instructions: null\n',
    );
    expect(await pendingPaths(made)).toEqual(onlyDescription);
    expect(await made.run('validate')).toMatchObject({ code: 0, stderr: '' });
  });

  test('Invisible characters in a line are escaped, so that a reviewer sees them.', async () => {
    const id = seed({ title: '\ufeffFront desk', welcomeMessage: 'Hello\u200b \u202eyou\u{e0041}: 👩\u200d⚕️' });
    const made = await project();
    expect(await imported(made, id)).toMatchObject({ code: 0 });
    const text = await made.read('agents/front-desk.yaml');
    expect(text).toContain('  title: "\\ufeffFront desk"\n');
    expect(text).toContain('  welcomeMessage: "Hello\\u200b \\u202eyou\\udb40\\udc41: 👩\u200d⚕️"\n');
    expect(await pendingPaths(made)).toEqual(onlyDescription);
  });

  test('Apps without ids are not declared, and the import says so.', async () => {
    server.quirks = { appsWithoutId: true };
    const id = seed({ apps: [{ appId: 'pay', version: '1', instructions: 'x' }] });
    const made = await project();
    expect(await imported(made, id)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('apps: the service returns elements without a key'),
    });
    const text = await made.read('agents/front-desk.yaml');
    expect(text).toMatch(/^# {3}apps$/m);
    expect(text).not.toMatch(/^apps:/m);
  });

  test('Skills with the same key are not declared, so the next apply leaves them as they are.', async () => {
    const skills = ['Book.', 'Cancel.'].map((instructions) => ({ slug: 'calendar', instructions }));
    const id = seed({ skills });
    const made = await project();
    expect(await imported(made, id)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('several with the same key, so the manifest does not declare it'),
    });
    await made.edit('agents/front-desk.yaml', 'title: Front desk', 'title: Reception');
    expect(await made.run('apply', '--yes')).toMatchObject({ code: 0 });
    expect(server.agentOf(token)?.settings).toMatchObject({ title: 'Reception', skills });
  });

  test('A secret in an imported text becomes a reference and a recorded fingerprint, and is shown nowhere.', async () => {
    const id = seed({
      welcomeMessage: `token ${token}`,
      agentInstructions: `a\n${token}\n`,
      agentModel: encodeURIComponent(token),
    });
    const made = await project();
    const result = await imported(made, id);
    expect(result.code).toBe(0);
    expect(await made.read('prompts/front-desk.md')).toBe('a\n${secret.AGENT_TOKEN}\n\n');
    const texts = await Promise.all((await filesOf(made)).map(made.read));
    const all = JSON.stringify([texts, result]);
    expect(all).not.toContain(token);
    expect(all).not.toContain(encodeURIComponent(token));
    expect(await pendingPaths(made)).toEqual(onlyDescription);
  });
});

test('A required text that no manifest can hold stops the import.', async () => {
  const made = await project();
  const result = await made.run('import', seed(), '--name', 'front-desk', '--description', `costs $${token}`);
  expect(result).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no manifest can express the text of description'),
  });
  expect(result.stderr).not.toContain(token);
  expect(await filesOf(made)).toEqual([]);
});
