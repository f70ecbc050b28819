import { grouped } from '../../json/json.ts';
import { addressOf } from '../../kinds/desired.ts';
import type { Plan, ResourcePlan } from '../../schemas/plan-types.ts';
import type { Overruled } from '../../schemas/record-types.ts';
import { type Decisions, decisionNaming } from '../decisions.ts';
import { conflictsOf } from '../pending.ts';

/** A failed check that a decision overruled. A check of the whole plan has no resource. */
interface Skipped {
  readonly rule: Overruled['rule'];
  readonly resource?: string | undefined;
  /** The policy, required environment, rollout step or Test. */
  readonly name: string;
}

/** Returns a function that lists a resource's overruled rules and the decision behind each. */
export function overrulingIn(plan: OverruledPlan, decisions: Decisions): (resource: ResourcePlan) => Overruled[] {
  const skipped = skippedIn(plan);
  const ofPlan = skipped.filter(({ resource }) => resource === undefined);
  const byResource = grouped(skipped, ({ resource }) => resource);
  return (resource) => {
    const address = addressOf(resource);
    const own = [...(byResource.get(address) ?? []), ...ofPlan];
    const namesOf = (rule: Skipped['rule']) => new Set(own.flatMap((one) => (one.rule === rule ? [one.name] : [])));
    const found: readonly (readonly [Overruled['rule'], readonly string[]])[] = [
      ['conflict', conflictsOf(resource).map(({ path }) => path)],
      ['new-agent', resource.mayReplace ? [address] : []],
      ...(['policies', 'requires', 'rollout', 'tests'] as const).map((rule) => [rule, [...namesOf(rule)]] as const),
    ];
    return found.flatMap(([rule, names]) =>
      names.length === 0 ? [] : overruledBy(decisions, { rule, names, address }),
    );
  };
}

type OverruledPlan = Pick<Plan, 'policies' | 'requires' | 'tests' | 'resources'>;

function skippedIn({ policies = [], requires = [], tests, resources }: OverruledPlan): Skipped[] {
  return [
    ...policies.flatMap(({ skipped, resource, policy: name }): Skipped[] =>
      skipped ? [{ rule: 'policies', resource, name }] : [],
    ),
    ...requires.flatMap(({ skipped, resource, environment: name }): Skipped[] =>
      skipped ? [{ rule: 'requires', resource, name }] : [],
    ),
    ...resources.flatMap((resource): Skipped[] =>
      resource.warnings.some(({ code }) => code === 'step-skipped')
        ? [{ rule: 'rollout', resource: addressOf(resource), name: `step ${resource.step}` }]
        : [],
    ),
    ...(tests?.overruled ?? []).flatMap(({ resource, tests: names }) =>
      names.map((name): Skipped => ({ rule: 'tests', resource, name })),
    ),
  ];
}

/** Returns an overruled rule with the decision behind it. The list is empty if there is no such decision. */
export function overruledBy(
  decisions: Decisions,
  { rule, names, address }: Pick<Overruled, 'rule'> & { readonly names: readonly string[]; readonly address: string },
): Overruled[] {
  const decision =
    rule === 'conflict' || rule === 'new-agent'
      ? decisionNaming(decisions, rule, address)
      : decisions?.find((one) => one.rule === rule);
  if (decision === undefined) return [];
  const { by, person } = decision;
  return [{ rule, names: [...names], by, ...(person !== undefined && { person }) }];
}
