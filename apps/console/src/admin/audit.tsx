import { useMutation } from '@tanstack/react-query'
import { create } from '../api/client'
import { Badge } from '../ui/badge'
import { moment, whole, words } from '../ui/format'
import { ListPage } from '../ui/list-page'
import { Empty, Problem } from '../ui/states'

const channels = ['admin.audit.']

export function AuditPage() {
  const verify = useMutation({ mutationFn: () => create('/admin/audit-logs/verify', { body: {} }) })
  return (
    <ListPage
      title="Audit log"
      purpose="Every change and every call, in a hash chain that can be recomputed by anybody."
      path="/admin/audit-logs"
      channels={channels}
      keyOf={({ id }) => id}
      query={{ sort: '-at' }}
      filters={[
        { name: 'action', label: 'Action', text: true },
        { name: 'result', label: 'Result', options: ['success', 'refused', 'failed'] },
        { name: 'q', label: 'Words', text: true },
      ]}
      columns={[
        { name: 'Time', show: ({ at }) => moment(at) },
        { name: 'Action', show: ({ action }) => <code>{action}</code> },
        { name: 'Target', clip: true, show: ({ target }) => <code>{target}</code> },
        { name: 'By', show: ({ actor_kind }) => words(actor_kind) },
        { name: 'Result', show: ({ result }) => <Badge value={result} /> },
        { name: 'Address', show: ({ ip }) => ip ?? '–' },
        {
          name: 'Place in the chain',
          right: true,
          show: ({ seq }) => (seq === null ? 'Not sealed yet' : `#${whole(seq)}`),
        },
      ]}
      empty={<Empty title="No entries" icon="admin" />}
      action={
        <button type="button" className="button main" disabled={verify.isPending} onClick={() => verify.mutate()}>
          {verify.isPending ? 'Checking the chain …' : 'Check the chain'}
        </button>
      }
      above={
        <>
          {verify.error === null ? null : <Problem error={verify.error} />}
          {verify.data === undefined ? null : <Verdict verdict={verify.data.data} />}
        </>
      }
    />
  )
}

type Verified = Awaited<ReturnType<typeof create<'/admin/audit-logs/verify'>>>['data']

function Verdict({ verdict }: { readonly verdict: Verified }) {
  if (verdict.status === 'queued')
    return <output className="notice">The range is long: a job checks it, and its result stands under Jobs.</output>
  if (verdict.verified === true)
    return (
      <output className="notice good">{`The chain holds: ${whole(verdict.entries)} entries were recomputed, and every one has the hash it was sealed with.`}</output>
    )
  return (
    <div className="problem" role="alert">
      <strong>The chain does not hold</strong>
      <span>{`Entry #${verdict.first_bad_seq ?? '?'}: ${words(verdict.reason ?? 'unknown')}.`}</span>
    </div>
  )
}
