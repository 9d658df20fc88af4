import type { Kernel } from '../../../kernel/kernel.ts'
import type { IamApi } from '../../iam/api.ts'

/** The rules' surroundings. */
export interface AgentParts {
  readonly kernel: Kernel
  readonly iam: Pick<
    IamApi,
    | 'addAgentAccount'
    | 'moveAgentAccount'
    | 'issueAgentKey'
    | 'revokeAgentKey'
    | 'endAgentCredentials'
    | 'agentKeys'
    | 'bindOutsideToken'
    | 'unbindOutsideToken'
    | 'outsideBindings'
    | 'findPrincipal'
  >
}
