import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { isJsonObject, type Json, type JsonObject } from '../../src/json/json.ts';
import { schemaAt } from '../../src/kinds/kind.ts';
import { loadProject } from '../../src/manifest/project/load-project.ts';
import { desiredOfAll } from '../../src/manifest/resolve/resolution.ts';
import { resolveProject } from '../../src/manifest/resolve/resolve-project.ts';
import { runTests, type TestedAgent } from '../../src/testing/run-tests.ts';

const project = await loadProject(resolve(import.meta.dirname, '../../examples/clinic'));
const environment = 'local';
const resolution = await resolveProject(project, { environment, secrets: 'names', env: {} });
const { tests } = resolution;
const desired = desiredOfAll(resolution);
const frontDesk = desired.filter(({ name }) => name === 'front-desk');

const played = (agents: readonly TestedAgent[]) => runTests(tests, { environment, desired: agents }).cases;

/** Settings on which a case of the example depends, declared or not. */
const involved = [
  ...new Set([
    ...played(frontDesk).flatMap(({ decidedBy }) => decidedBy.map(({ path }) => path.join('.'))),
    ...played(frontDesk).flatMap(({ assumed }) =>
      assumed.flatMap((text) => /^(\S+) is .*the default/.exec(text)?.[1] ?? []),
    ),
  ]),
];

function valueAt([section = '', name = '']: readonly string[], agent: TestedAgent): Json {
  const members = agent.sections[section];
  const declared = isJsonObject(members) ? members[name] : undefined;
  return declared ?? (schemaAt('Agent', [section, name])?.default as Json | undefined) ?? null;
}

/** Returns values that differ from the given value, the most similar first. */
function flipped(value: Json): Json[] {
  if (typeof value === 'number') return [value + 1, value - 1];
  if (typeof value === 'boolean') return [!value];
  return ['^Nobody$', 'ext:999'];
}

test('The example passes for every agent.', () => {
  expect(played(desired).filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
});

test('The example depends on the expected settings.', () => {
  expect(involved.sort()).toEqual([
    'settings.agentInstructions',
    'settings.autoRecordingNotification',
    'settings.callerResponseTimeout',
    'settings.callerResponseTimeoutHangupCounter',
    'settings.interruptionMinimumSpeakingTime',
    'settings.interruptionWordCount',
    'settings.speechProcessingDelay',
    'settings.speechProcessingDelayInterruptionStep',
    'settings.speechProcessingDelayMaxMultiplier',
    'transferRules.attendedTransfers',
    'transferRules.cnamAutoRejectCode',
    'transferRules.cnamAutoRejectRegex',
    'transferRules.cnamAutoTransferDestination',
    'transferRules.cnamAutoTransferRegex',
    'transferRules.confirmTransfers',
    'transferRules.transferConfirmTimeout',
  ]);
});

test.each(involved)('A change of %s makes a case of the example fail.', (setting) => {
  const [agent] = frontDesk;
  if (agent === undefined) throw new Error('no front desk');
  const [section = '', name = ''] = setting.split('.');
  for (const value of flipped(valueAt([section, name], agent))) {
    const members = agent.sections[section];
    const sections: JsonObject = {
      ...agent.sections,
      [section]: { ...(isJsonObject(members) ? members : {}), [name]: value },
    };
    const failed = played([{ ...agent, sections }]).filter(({ outcome }) => outcome !== 'passed');
    expect({ value, fails: failed.length > 0 }).toEqual({ value, fails: true });
  }
});
