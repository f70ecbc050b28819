import { describe, expect, test } from '@jest/globals';
import { manifest, projectFile, resolve, rowProblems, show } from '../temp-project.ts';

const organization = (settings: string, rest = 'resellerId: r'): string =>
  manifest('Organization', `${rest}\nsettings: { orgName: Acme${settings} }`);
const member = (settings: string, rest = ''): string =>
  manifest('Member', `settings: { email: jo@example.com${settings} }\n${rest}`);
const context = (settings: string): string => manifest('Context', `settings: { context: c${settings} }`);
const phone = (number: string): string => manifest('PhoneNumber', `agent: desk\nsettings: { number: ${number} }`);
const desk = { 'agents/z.yaml': manifest('Agent', 'settings: { title: t, description: d }', 'desk') };

describe('the desired state of other kinds', () => {
  test('The desired state of a Member has numbers from variables and its id.', async () => {
    const text = member(
      ', role: admin, redirectUrl: https://a.example/in, sendWelcomeEmail: false, permittedAccountIds: [1, "${var.wait}", "${var.other}"]',
      'memberId: 4711\nenvironments: { production: { memberId: 4712 } }',
    );
    const files = { 'agents/a.yaml': text };
    const { desired, problems, originOf } = await resolve(files, { env: { AGENTFORM_VAR_other: '77' } });
    expect(problems).toEqual([]);
    expect(desired).toMatchObject([
      {
        kind: 'Member',
        memberId: 4711,
        sections: {
          settings: {
            email: 'jo@example.com',
            role: 'admin',
            redirectUrl: 'https://a.example/in',
            sendWelcomeEmail: false,
            permittedAccountIds: [1, 500, 77],
          },
        },
      },
    ]);
    expect(originOf('Member/member', '/memberId')?.at.line).toBe(5);
    const env = { AGENTFORM_VAR_other: '77', AGENT_TOKEN: 'token-0' };
    expect((await resolve(files, { environment: 'production', env })).desired[0]?.memberId).toBe(4712);
  });

  test('The desired state of an AgentUrl and a Context may have its text in a file.', async () => {
    const { desired } = await resolve({
      'agents/u.yaml': manifest('AgentUrl', 'settings: { targetUsername: desk, slug: elm-street }'),
      'agents/c.yaml': manifest('Context', 'settings: { context: { file: ../jo.md }, target: jo }'),
      'jo.md': 'Jo calls from ${var.clinic}.\n',
    });
    expect(desired.map(({ kind, sections }) => [kind, sections])).toEqual([
      ['AgentUrl', { settings: { targetUsername: 'desk', slug: 'elm-street' } }],
      ['Context', { settings: { context: 'Jo calls from Elm Street.', target: 'jo' } }],
    ]);
  });
});

describe('values of other kinds', () => {
  test.each([
    [
      'the email address of an organization',
      organization(', email: jo'),
      "5:35 settings.email is 'jo': expected an email address, such as jo@example.com",
    ],
    [
      'the email address of a member',
      member('').replace('jo@', 'jo at '),
      "4:20 settings.email is 'jo at example.com': expected an email address, such as jo@example.com",
    ],
    [
      'where an invited person goes',
      member(', redirectUrl: /welcome'),
      "4:49 settings.redirectUrl is '/welcome': expected an HTTP(S) URL, such as https://www.example.com/hours",
    ],
    [
      'a phone number',
      phone('"+1 415 555 0100"'),
      "5:21 settings.number is '+1 415 555 0100': expected an E.164 number such as +14155550100; write '+14155550100'",
    ],
    [
      'a phone number without quotes',
      phone('+14155550100'),
      "5:21 settings.number is +14155550100: expected a string; quote it: '+14155550100'",
    ],
    [
      'a person',
      context(', target: "415 555 0100"'),
      "4:33 settings.target is '415 555 0100': expected an E.164 number such as +14155550100",
    ],
    [
      'an account that is no number',
      member(', permittedAccountIds: [1, x]'),
      "4:61 settings.permittedAccountIds[1] is 'x': expected an integer",
    ],
    [
      'an account in quotes',
      member(', permittedAccountIds: ["17"]'),
      "4:58 settings.permittedAccountIds[0] is '17': expected an integer; write 17 without quotes",
    ],
    [
      'an account with too many digits',
      member(', permittedAccountIds: [12345678901234567890]'),
      '4:58 the number 12345678901234567890 would lose digits: an integer may be at most 9007199254740991',
    ],
    [
      'a member id with too many digits',
      member('', 'memberId: 12345678901234567890'),
      '5:11 the number 12345678901234567890 would lose digits: an integer may be at most 9007199254740991',
    ],
    ['a member id that is no number', member('', 'memberId: jo'), "5:11 memberId is 'jo': expected an integer"],
    [
      'an account type',
      organization(', orgAccountType: external'),
      "5:44 settings.orgAccountType is 'external': expected 'internal' or 'customer'; did you mean 'internal'?",
    ],
    [
      'a blank name',
      manifest('Organization', "settings: { orgName: ' ' }\nresellerId: r"),
      "4:22 settings.orgName is ' ': expected a text that is not blank",
    ],
    ['a blank role', member(", role: ''"), "4:42 settings.role is '': expected a text that is not blank"],
    ...['', '..', 'a b', '/x', 'https://a.example/x', 'x?y', 'x#y'].map((slug) => [
      `the slug '${slug}'`,
      manifest('AgentUrl', `settings: { targetUsername: u, slug: "${slug}" }`),
      `4:38 settings.slug is '${slug}': expected the end of a web address, such as elm-street`,
    ]),
    ['required settings', manifest('AgentUrl', 'settings: { slug: s }'), '4:1 settings.targetUsername is missing'],
    ['no settings at all', manifest('Context', ''), '2:1 settings.context is missing'],
  ])('The check reports %s.', async (_case, text, expected) => {
    expect(await rowProblems(text, desk)).toEqual([`agents/a.yaml:${expected}`]);
  });

  test('A member id from a variable must be an integer.', async () => {
    expect(await rowProblems(member('', 'memberId: ${var.clinic}\nonlyIn: [local]'), desk)).toEqual([
      "agents/a.yaml:5:11 memberId is 'Elm Street' (from '${var.clinic}'): expected an integer (in the environment local)",
    ]);
  });

  test('The check accepts secrets as values.', async () => {
    expect(await rowProblems(context(', target: "${secret.JO}"'))).toEqual([]);
    expect(await rowProblems(member('').replace('jo@example.com', '"${secret.JO}"'))).toEqual([]);
  });
});

describe('keys of other kinds', () => {
  test.each([
    ['a typing error', member(', rol: admin'), "4:36 unknown key 'rol' in settings; did you mean 'role'?"],
    ['a setting at the top', member('', 'role: admin'), "5:1 unknown key 'role': it belongs under 'settings'"],
    [
      'a member of the envelope under settings',
      member(', memberId: 5'),
      "4:36 unknown key 'memberId' in settings: it belongs at the top level of the file",
    ],
    [
      'a setting of another kind',
      member(', orgName: Acme'),
      "4:36 unknown key 'orgName' in settings: it belongs to the kind 'Organization'",
    ],
    [
      'a setting of another section of another kind',
      member(', confirmTransfers: true'),
      "4:36 unknown key 'confirmTransfers' in settings: it belongs to the kind 'Agent'",
    ],
    ['a section of an agent', member('', 'skills: []'), "5:1 unknown key 'skills': it belongs to the kind 'Agent'"],
    [
      'extra settings, of which nothing else is said',
      member('', 'extraSettings: { role: admin, id: 12345678901234567890 }'),
      "5:1 unknown key 'extraSettings': it belongs to the kind 'Agent'",
    ],
    [
      'an agent id',
      member('', 'target: { agentId: camp_1 }'),
      "5:11 unknown key 'agentId' in target: it belongs to the kind 'Agent'",
    ],
    [
      'a campaign id in an overlay',
      member('', 'environments: { local: { target: { campaignId: c } } }'),
      "5:36 unknown key 'campaignId' in environments.local.target: it belongs to the kind 'Agent'",
    ],
    [
      'an organization in an overlay',
      member('', 'environments: { local: { organization: acme } }'),
      "5:26 unknown key 'organization' in environments.local: it belongs at the top level of the file",
    ],
  ])('The check of keys reports %s.', async (_case, text, expected) => {
    expect(await rowProblems(text)).toEqual([`agents/a.yaml:${expected}`]);
  });
});

describe('resellerId', () => {
  const inEnvironment = (value: string): string =>
    projectFile.replace('baseUrl: emulator', `baseUrl: emulator\n    resellerId: ${value}`);
  const resellerOf = async (text: string, environment = projectFile, env = {}) =>
    (await resolve({ 'agentform.yaml': environment, 'agents/a.yaml': text }, { env })).desired.map(
      ({ resellerId }) => resellerId,
    );

  test.each([
    ['of the manifest', organization(''), projectFile, 'r'],
    ['of the environment', organization('', ''), inEnvironment('e'), 'e'],
    ['of the manifest before that of the environment', organization(''), inEnvironment('e'), 'r'],
    [
      'of an overlay before all',
      organization('', 'resellerId: r\nenvironments: { local: { resellerId: o } }'),
      inEnvironment('e'),
      'o',
    ],
    [
      'a number keeps its digits',
      organization('', 'resellerId: 00123456789012345678901'),
      projectFile,
      '00123456789012345678901',
    ],
    [
      'a number of the environment does too',
      organization('', ''),
      inEnvironment('00123456789012345678901'),
      '00123456789012345678901',
    ],
    ['a variable', organization('', 'resellerId: "${var.wait}-${var.clinic}"'), projectFile, '500-Elm Street'],
    ['a variable of the environment', organization('', ''), inEnvironment('${var.wait}'), '500'],
  ])('The resellerId is resolved: %s', async (_case, text, environment, expected) => {
    expect(await resellerOf(text, environment)).toEqual([expected]);
  });

  test('The resellerId has its place as source.', async () => {
    const { originOf } = await resolve({ 'agentform.yaml': inEnvironment('e'), 'agents/a.yaml': organization('', '') });
    expect(originOf('Organization/organization', '/resellerId')?.at).toMatchObject({ file: 'agentform.yaml', line: 8 });
  });

  test('A missing resellerId is reported with both possible places.', async () => {
    expect(await rowProblems(organization('', ''), { 'agentform.yaml': inEnvironment('e') })).toEqual([
      'agents/a.yaml:3:1 there is no resellerId: write it under the environment in agentform.yaml, or in agents/a.yaml (in the environment production) [the environment agentform.yaml:10:3]',
    ]);
  });

  test.each([
    ['a list', '[]', '4:13 resellerId is an empty list: expected a string or an integer'],
    ['a fraction', '1.5', "4:13 resellerId is 1.5: expected a string or an integer; quote it: '1.5'"],
    ['empty text', '""', "4:13 resellerId is '': expected a non-empty string"],
    ['a secret', '${secret.R}', '4:13 resellerId cannot contain a secret, because it is shown and stored'],
    [
      'an unknown variable',
      '${var.no}',
      "4:13 the variable 'no' has no value: declare it under `variables`, in the manifest or in the environment in agentform.yaml, or set AGENTFORM_VAR_no",
    ],
  ])('A resellerId that is %s is refused.', async (_case, value, expected) => {
    expect(await rowProblems(organization('', `resellerId: ${value}`))).toEqual([`agents/a.yaml:${expected}`]);
  });

  test('A resellerId from an empty variable is refused.', async () => {
    const files = { 'agents/a.yaml': organization('', 'variables: { r: "" }\nresellerId: ${var.r}') };
    const { desired, problems } = await resolve(files);
    expect([desired, problems.map(show)]).toEqual([
      [],
      ['agents/a.yaml:5:13 resellerId is empty: expected the id of a reseller'],
    ]);
  });

  test('A resellerId beside its query parameter is an error with both places.', async () => {
    const text = organization('', 'resellerId: r\ntarget: { query: { by: x } }');
    const project = `${projectFile}service: { parameters: { resellerId: by } }\n`;
    expect(await rowProblems(text, { 'agentform.yaml': project })).toEqual([
      'agents/a.yaml:4:13 resellerId and the query parameter by set the same thing: remove the query parameter [the query parameter agents/a.yaml:5:20]',
    ]);
    expect(await rowProblems(text)).toEqual([]);
  });

  test('A missing resellerId is not reported if a base cannot be read.', async () => {
    expect(await rowProblems(organization('', 'extends: ../no.yaml'))).toEqual([
      "agents/a.yaml:4:10 the base '../no.yaml' does not exist",
    ]);
  });
});

describe('lint rules of other kinds', () => {
  test('The lint warns that an empty list of accounts lifts all restrictions.', async () => {
    expect(await rowProblems(member(', permittedAccountIds: []'))).toEqual([
      'agents/a.yaml:4:57 settings.permittedAccountIds is empty: an update lifts all restrictions, and the member can access every account',
    ]);
    const { desired, problems } = await resolve({ 'agents/a.yaml': member(', permittedAccountIds: []') });
    expect([desired.length, problems.map(({ severity, rule }) => [severity, rule])]).toEqual([
      1,
      [['warning', 'restrictions-lifted']],
    ]);
  });

  test('The lint reports an account that is listed twice.', async () => {
    expect(await rowProblems(member(', permittedAccountIds: [1, 2, 1]'))).toEqual([
      'agents/a.yaml:4:64 permittedAccountIds contains this item twice [first here agents/a.yaml:4:58]',
    ]);
  });

  const providers = (...defaults: string[]): string => {
    const elements = defaults.map((value, index) => `{ providerId: p${index}, config: {}, default: ${value} }`);
    return organization(`, numberingProviders: [${elements.join(', ')}]`);
  };

  test('The lint reports two default providers.', async () => {
    expect(await rowProblems(providers('true', 'false', '"${var.loud}"'))).toEqual([
      'agents/a.yaml:5:183 settings.numberingProviders[p2].default is true, but another provider is already the default; remove one of the two (in the environment local) [first here agents/a.yaml:5:88]',
    ]);
    expect(await rowProblems(providers('true', 'false'))).toEqual([]);
  });

  test('The level of a lint rule applies to all kinds that share it.', async () => {
    const off = `${projectFile}lint: { restrictions-lifted: off, duplicate-item: off, default-provider-twice: off }\n`;
    const text = member(', permittedAccountIds: [1, 1]');
    expect(await rowProblems(text, { 'agentform.yaml': off, 'agents/b.yaml': providers('true', 'true') })).toEqual([]);
  });
});
