import { referenceName } from '../../kinds/reference.ts';
import { quote } from '../wording.ts';
import type { ImportRow } from './import-list.ts';

export interface ImportRowComplaint {
  readonly column: 'id' | 'name' | 'token-secret' | 'query';
  readonly message: string;
}

/** What is wrong with what somebody asks to import. The values of query parameters are not repeated. */
export function importRowComplaints({ id, name, tokenSecret, query }: ImportRow): ImportRowComplaint[] {
  const complaints: Array<ImportRowComplaint | undefined> = [
    idComplaint(id),
    nameComplaint(name),
    tokenSecret === undefined ? undefined : secretComplaint(tokenSecret),
    ...query.map(queryComplaint),
  ];
  return complaints.filter((complaint) => complaint !== undefined);
}

function idComplaint(id: string): ImportRowComplaint | undefined {
  if (/^[^\s/\\?#%]+$/.test(id) && id !== '.' && id !== '..' && !id.includes('${')) return undefined;
  const found = id === '' ? 'the id is empty' : `the id is ${quote(id)}`;
  return { column: 'id', message: `${found}: expected an agent id such as camp_1` };
}

function nameComplaint(name: string): ImportRowComplaint | undefined {
  if (/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name)) return undefined;
  const found = name === '' ? 'the name is empty' : `the name is ${quote(name)}`;
  return {
    column: 'name',
    message: `${found}: expected lowercase letters, digits and hyphens, at most 63, such as front-desk`,
  };
}

/** What stands there may be the token itself, so it is not repeated. */
function secretComplaint(name: string): ImportRowComplaint | undefined {
  if (new RegExp(`^${referenceName}$`).test(name)) return undefined;
  return {
    column: 'token-secret',
    message:
      'the token secret is not the name of a process variable: expected letters, digits and underscores, such as FRONT_DESK_TOKEN',
  };
}

function queryComplaint(pair: string): ImportRowComplaint | undefined {
  const [, name] = /^([^=]+)=/.exec(pair) ?? [];
  if (name === undefined)
    return { column: 'query', message: 'a query parameter is name=value, such as targetAccountId=17' };
  if (name !== 'token') return undefined;
  return {
    column: 'query',
    message: 'the query cannot set the token; name the process variable that holds it as the token secret',
  };
}
