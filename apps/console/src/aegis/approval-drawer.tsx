import { useAll } from '../api/hooks'
import { useMay } from '../api/session'
import { Badge } from '../ui/badge'
import { Detail, useId } from '../ui/detail'
import { Facts } from '../ui/field'
import { moment, words } from '../ui/format'
import { Panel } from '../ui/panel'
import { Person } from '../ui/person'
import { Empty, Loaded } from '../ui/states'
import { Table } from '../ui/table'
import { Ago } from '../ui/time'
import { AgentName } from './agent-name'
import type { Approval } from './approval'
import { ApprovalForm } from './approval-form'

/** The API has approvals as a list alone, so this one is looked for among the newest. */
export function ApprovalDrawer() {
  const id = useId()
  const approvals = useAll('/aegis/approvals')
  const approval = approvals.data?.find((one) => one.id === id)
  return (
    <Detail title={approval === undefined ? 'Approval' : `${approval.server}/${approval.tool}`} here="/aegis/approvals">
      <Loaded query={approvals} lines={8}>
        {() =>
          approval === undefined ? (
            <Empty title="Not among the newest thousand approvals" icon="search">
              <p>Search the list by the name of the tool.</p>
            </Empty>
          ) : (
            <ApprovalParts approval={approval} />
          )
        }
      </Loaded>
    </Detail>
  )
}

function ApprovalParts({ approval }: { readonly approval: Approval }) {
  const may = useMay('aegis:write')
  const isPending = approval.status === 'pending'
  return (
    <>
      <div className="row">
        <Badge value={approval.status} />
        <span className="soft">{`Risk tier ${approval.risk_tier}`}</span>
        {isPending ? (
          <span>
            Decide <Ago at={approval.expires_at} />, at {moment(approval.expires_at)}
          </span>
        ) : null}
      </div>
      <Panel title="Arguments">
        <div className="stack">
          <pre data-testid="arguments">{approval.args_preview}</pre>
          <p className="small soft">
            Personal data and secrets are left out of this text. The decision is bound to the arguments with the digest{' '}
            <code data-testid="args-digest">{approval.args_sha256}</code>.
          </p>
        </div>
      </Panel>
      {may && isPending ? <ApprovalForm approval={approval} /> : null}
      <Panel title="Facts">
        <Facts rows={factsOf(approval)} />
      </Panel>
      <Panel title="Decisions" flush>
        <Decisions decisions={approval.decisions} />
      </Panel>
    </>
  )
}

function factsOf(approval: Approval): readonly (readonly [string, React.ReactNode])[] {
  const { user_id: user, approver_roles: roles, labels, guardrails } = approval
  return [
    ['Agent', <AgentName key="agent" id={approval.agent_id} />],
    ['On behalf of', user === null ? 'Nobody: the agent acts by itself' : <Person key="user" id={user} />],
    ['Asked', moment(approval.created_at)],
    ['Decide by', moment(approval.expires_at)],
    ['Approvals needed', String(approval.required_approvals)],
    ['Approvers', roles.length === 0 ? 'Everybody with aegis:write' : roles.map(words).join(', ')],
    ['Held by', guardrails.map(({ guardrail_id: id, version }) => `${id}, version ${version}`).join('; ') || '–'],
    ['Flow labels', labels.join(', ') || '–'],
    ['Usable until', approval.usable_until === null ? '–' : moment(approval.usable_until)],
    ['Used', approval.consumed_at === null ? 'No' : moment(approval.consumed_at)],
  ]
}

function Decisions({ decisions }: Pick<Approval, 'decisions'>) {
  if (decisions.length === 0) return <Empty title="Nobody has decided yet" icon="aegis" />
  return (
    <Table
      label="Decisions"
      rows={decisions}
      keyOf={({ by }) => by}
      columns={[
        { name: 'Person', show: ({ by }) => <Person id={by} /> },
        { name: 'Decision', show: ({ decision }) => <Badge value={decision === 'approve' ? 'approved' : 'denied'} /> },
        { name: 'Reason', show: ({ comment }) => comment ?? '–' },
        { name: 'Time', show: ({ at }) => moment(at) },
      ]}
    />
  )
}
