/** Guardrails and approvals as the proxy asks them. Tested in approval.test.ts. */
import type { TenantId } from '../../../../kernel/access/actor.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import { argsDigest } from '../../approvals/binding.ts'
import { redeemApproval } from '../../approvals/redeem.ts'
import { requestApproval } from '../../approvals/request.ts'
import type { ApprovalRow } from '../../approvals/schema.ts'
import { awaitApproval } from '../../approvals/wait.ts'
import { applyChanges } from '../../guardrails/engine/apply.ts'
import type { Evaluation } from '../../guardrails/engine/evaluate.ts'
import type { Guardrails } from '../../guardrails/live/guardrails.ts'
import type { ApprovalState, Guards, HoldTerms, Judgement, ToolCall } from '../call/guards.ts'
import { type Members, objectOf } from '../wire/json-rpc.ts'
import { guardedCall, guardedTexts } from './guard-context.ts'

export function createGuards(kernel: Kernel, guardrails: Pick<Guardrails, 'has' | 'judge'>): Guards {
  const judge = async (call: ToolCall): Promise<Judgement> => {
    const { context, isKilled } = await guardedCall(kernel, call)
    if (isKilled) return { decision: 'killed', args: call.args, hold: null, changed: false, hits: [] }
    return judgementOf(await guardrails.judge(context), call)
  }
  return {
    judge: (call) => (guardrails.has(call.asked.caller.tenantId, 'tool') ? judge(call) : unguarded(call)),
    judgesCalls: ({ caller }) => guardrails.has(caller.tenantId, 'tool'),
    judgesResults: ({ caller }) => guardrails.has(caller.tenantId, 'output'),
    judgeResult: async (call, result) => {
      const { context } = await guardedCall(kernel, call)
      const texts = guardedTexts(result)
      const judged = await guardrails.judge({
        ...context,
        stage: 'output',
        texts,
        structured: result.structuredContent,
      })
      const hits = judged.hits.map(hitOf)
      if (isStopped(judged)) return { result: null, hits }
      const isChanged = judged.redactions.length > 0
      return {
        result: isChanged ? objectOf(applyChanges(result, { redactions: judged.redactions, transforms: [] })) : result,
        hits,
      }
    },
    request: (call, terms, waitForm) => request(kernel, call, { terms, waitForm }),
    wait: async ({ caller }, approvalId, timeoutMs) => {
      const { tenantId } = caller
      return stateOf(await awaitApproval(kernel, { tenantId, approvalId, timeoutMs, signal: caller.request.signal }))
    },
    redeem: (call, terms, approvalId) =>
      kernel.db.tenant({ tenantId: tenantOf(call) }, (tx) =>
        redeemApproval({ kernel }, tx, {
          approvalId,
          call: { ...boundOf(call, terms), argsSha256: argsDigest(call.args) },
        }),
      ),
  }
}

const unguarded = ({ args }: ToolCall): Judgement => ({ decision: 'none', args, hold: null, changed: false, hits: [] })
const tenantOf = ({ asked }: ToolCall): TenantId => asked.caller.tenantId

const isStopped = ({ decision }: Pick<Evaluation, 'decision'>): boolean =>
  decision === 'deny' || decision === 'quarantine_agent' || decision === 'kill_session' || decision === 'hold'

function judgementOf(judged: Evaluation, { args }: ToolCall): Judgement {
  const { decision, hold } = judged
  const hits = judged.hits.map(hitOf)
  const told = { args: objectOf(judged.args), hits, hold, changed: judged.args !== args }
  if (decision === 'kill_session') return { ...told, decision: 'killed' }
  if (decision === 'deny' || decision === 'quarantine_agent') return { ...told, decision: 'deny' }
  if (decision === 'hold') return { ...told, decision: 'hold' }
  return { ...told, decision: decision === 'none' ? 'none' : 'allow' }
}

function hitOf({
  guardrailId,
  name,
  version,
  action,
  mode,
  enforced,
  failed,
  tags,
}: Evaluation['hits'][number]): Members {
  return { guardrail_id: guardrailId, name, version, action, mode, enforced, failed, tags }
}

interface Requesting {
  readonly terms: HoldTerms
  readonly waitForm: 'retry' | 'sse' | 'mrtr'
}

async function request(kernel: Kernel, call: ToolCall, { terms, waitForm }: Requesting): Promise<ApprovalState> {
  const { asked, tool, labels, args } = call
  const { agent } = asked.caller
  const { approval } = await kernel.db.tenant({ tenantId: tenantOf(call) }, (tx) =>
    requestApproval({ kernel }, tx, {
      ...boundOf(call, terms),
      ...{ approverRoles: terms.approverRoles, minApprovers: terms.minApprovers, timeoutSeconds: terms.timeoutSeconds },
      ...{ args, sessionId: null, labels: [...labels], riskTier: agent.risk_tier, waitForm },
      destructive: tool.labels.has('destructive'),
    }),
  )
  return knownState(approval)
}

function boundOf({ asked, tool }: ToolCall, { guardrails }: HoldTerms) {
  const { agent, server } = asked.caller
  return { agentId: agent.id, userId: null, server: server.row.slug, tool: tool.name, guardrails, pinSha256: tool.pin }
}

const stateOf = (row: ApprovalRow | null): ApprovalState | null => (row === null ? null : knownState(row))

function knownState({ id, status, expires_at: expiresAt }: ApprovalRow): ApprovalState {
  const isOpen = status === 'pending' || status === 'approved'
  return { id, status: isOpen ? status : 'denied', expiresAt }
}
