import { ProblemError } from '@parapet/sdk'
import { useState } from 'react'
import { create } from '../api/client'
import { useChange } from '../api/use-change'
import { Area } from '../ui/field'
import { words } from '../ui/format'
import { Panel } from '../ui/panel'
import { Problem } from '../ui/states'
import type { Approval } from './approval'

type Decision = 'approve' | 'deny'

export function ApprovalForm({ approval }: { readonly approval: Approval }) {
  const [comment, setComment] = useState('')
  const decide = useChange(
    (decision: Decision) =>
      create('/aegis/approvals/{approval_id}/decision', {
        params: { approval_id: approval.id },
        // The digest of the arguments on the screen: other arguments are refused.
        body: { decision, args_sha256: approval.args_sha256, ...(comment === '' ? {} : { comment }) },
      }),
    ['/aegis/approvals'],
  )
  const left = approval.required_approvals - approval.decisions.length
  return (
    <Panel title="Decision">
      <form className="stack" onSubmit={(event) => event.preventDefault()}>
        {decide.error === null ? null : <Refused error={decide.error} approval={approval} retry={decide.renew} />}
        <Area
          label="Reason (needed to deny)"
          rows={2}
          maxLength={500}
          value={comment}
          onChange={(event) => setComment(event.target.value)}
        />
        <p className="small soft">
          {left > 1 ? `${left} people have to approve. ` : ''}
          One denial ends it, and the agent may not ask again until the deadline.
        </p>
        <div className="row end">
          <button
            type="button"
            className="button stop"
            disabled={decide.isPending || comment.trim() === ''}
            onClick={() => decide.mutate('deny')}
          >
            Deny
          </button>
          <button
            type="button"
            className="button main"
            disabled={decide.isPending}
            onClick={() => decide.mutate('approve')}
          >
            Approve this call
          </button>
        </div>
      </form>
    </Panel>
  )
}

interface RefusedProps {
  readonly error: unknown
  readonly approval: Approval
  readonly retry: () => Promise<void>
}

/** AEGIS-009 is no failure: somebody else has to decide, and the page says who can. */
function Refused({ error, approval, retry }: RefusedProps) {
  if (!(error instanceof ProblemError) || error.errorCode !== 'AEGIS-009')
    return <Problem error={error} retry={() => void retry()} />
  const roles = approval.approver_roles.map(words).join(' or ')
  return (
    <div className="notice stack" role="alert">
      <strong>Another person has to decide</strong>
      <span>{error.message}</span>
      <span>
        {`Send the address of this page to somebody with the permission aegis:write${roles === '' ? '' : ` and the role ${roles}`}. `}
        The call goes on waiting until the deadline.
      </span>
      <a className="small" href="/errors/AEGIS-009">
        AEGIS-009
      </a>
    </div>
  )
}
