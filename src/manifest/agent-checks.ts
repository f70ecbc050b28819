import { errorAt } from './problem-list.ts';
import { type ResourceCheck, textCheck } from './resource-check.ts';
import type { Declared, ResourceView } from './resource-view.ts';

/** What is certainly wrong with an Agent, though its schema allows it. */
export const agentChecks: readonly ResourceCheck[] = [
  textCheck(
    (agent) => [agent.declared('timezone')],
    ({ timeZone }) => timeZone,
  ),
  textCheck(itemsOfLinks, ({ httpUrl }) => httpUrl),
  textCheck(
    (agent) => [agent.declared('backgroundAudio'), agent.at(['backgroundAudio', 'url'])],
    ({ httpUrl }) => httpUrl,
  ),
  textCheck(
    (agent) => [agent.declared('cnamAutoRejectRegex'), agent.declared('cnamAutoTransferRegex')],
    ({ regex }) => regex,
  ),
  textCheck(
    (agent) => [agent.declared('attendedTransferBridgeTrigger')],
    ({ regex }) =>
      (text) =>
        text === 'any' ? undefined : regex(text),
  ),
  textCheck(
    (agent) => [agent.declared('cnamAutoTransferDestination')],
    ({ destination }) => destination,
  ),
  checkTransferHasDestination,
];

function itemsOfLinks(agent: ResourceView): Array<Declared | undefined> {
  const links = agent.declared('links')?.node;
  if (links?.type !== 'list') return [];
  return links.items.map((_item, index) => agent.at(['settings', 'links', String(index)]));
}

async function checkTransferHasDestination(agent: ResourceView): ReturnType<ResourceCheck> {
  const regex = agent.effective('cnamAutoTransferRegex');
  if (regex === undefined || agent.isOff('cnamAutoTransferRegex') || !agent.isOff('cnamAutoTransferDestination'))
    return [];
  const message = `${regex.path} has nowhere to transfer to: declare cnamAutoTransferDestination too`;
  return [errorAt(regex.at, 'transfer-destination-missing', message)];
}
