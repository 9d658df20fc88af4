/** The network guard's rules in words that name the remedy. Tested in network-guard.test.ts. */
import type { ProblemError } from '../../../kernel/errors/problem.ts'
import { errors } from '../declared/errors.ts'

/** GW-023 for an address that breaks a rule. `rule` stays in the part, for programs. */
export function refusedAddress(rule: string): ProblemError {
  return errors
    .addressRefused({ why: words[rule] ?? wordsOfRange(rule) })
    .at([{ detail: `Refused: ${rule}.`, pointer: '/base_url' }])
}

const operator =
  'The operator of this installation can allow a private network in PARAPET_GATEWAY_PRIVATE_UPSTREAMS, such as 127.0.0.0/8'

const words: Readonly<Record<string, string>> = {
  scheme: 'public addresses are called by https',
  port: 'public addresses are called on port 443 and on those that the operator allows in PARAPET_EGRESS_PORTS',
  metadata: 'it is a metadata service of a cloud, which nobody may call',
  unresolvable: 'its name has no address, as seen from this server',
  name_private: `its name is one of a private network. ${operator}`,
  url_form: 'it is no URL of the form https://host/path',
  url_length: 'it is too long',
  user_info: 'it holds a user name or a password',
  fragment: 'it has a fragment (#)',
  query:
    'it has a query (?), behind which the path of a call would be lost. Other parameters of a provider stand in settings',
  own_address: 'it leads back to this installation',
  host_form: 'its host is no valid name',
  request_form: 'it cannot be called',
}

/** `address_unique_local` is an address of the range “unique local”. */
function wordsOfRange(rule: string): string {
  const range = rule.replace(/^address_/, '').replaceAll('_', ' ')
  return `it leads to an address that is not public (${range}). ${operator}`
}
