import type { Problem } from './problem.ts';
import type { ResourceView } from './resource-view.ts';

export type LintLevel = 'off' | 'warn' | 'error';

/** What a lint rule is about, for `lint:` in agentform.yaml and for the docs. */
export interface LintRule {
  readonly name: string;
  /** One sentence: when it speaks. */
  readonly description: string;
  /** How it speaks unless agentform.yaml sets another level. */
  readonly level: LintLevel;
}

/** A lint rule together with the check that finds what it is about. */
export interface LintCheck extends LintRule {
  find(resource: ResourceView): readonly Problem[];
}

/** A setting that is declared in vain. */
export interface NoEffect {
  readonly name: string;
  readonly description: string;
  /** The setting that has no effect. */
  readonly setting: string;
  /** Whether it has none; asked only if the setting is declared with a value that would do something. */
  readonly when: (resource: ResourceView) => boolean;
  /** Why, as the end of the sentence "X has no effect: ...". */
  readonly because: string;
  /** The setting that is the reason, to point at if it is declared. */
  readonly cause?: string;
}

/** The rule that a setting has no effect in some circumstances. */
export function noEffect({ name, description, setting, when, because, cause }: NoEffect): LintCheck {
  return {
    name,
    description,
    level: 'warn',
    find(resource) {
      const declared = resource.effective(setting);
      if (declared === undefined || !resource.isSet(setting) || !when(resource)) return [];
      const message = `${declared.path} has no effect: ${because}`;
      const reason = cause === undefined ? undefined : resource.effective(cause);
      const also = reason === undefined ? {} : { also: { message: 'because of this', at: reason.at } };
      return [{ severity: 'warning', rule: name, message, at: declared.at, ...also }];
    },
  };
}
