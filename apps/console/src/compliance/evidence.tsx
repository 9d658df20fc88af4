import { Badge } from '../ui/badge'
import { date, percent, words } from '../ui/format'
import { ListPage } from '../ui/list-page'
import { Empty } from '../ui/states'
import { Ago } from '../ui/time'

const channels = ['compliance.evidence.', 'compliance.check.']

export function EvidencePage() {
  return (
    <ListPage
      title="Evidence"
      purpose="Sealed evidence in a hash chain: runs of checks, documents, exports and attestations."
      path="/compliance/evidence"
      channels={channels}
      keyOf={({ id }) => id}
      filters={[
        {
          name: 'kind',
          label: 'Kind',
          options: ['check_run', 'system_export', 'document', 'attestation', 'external_result', 'link'],
        },
        { name: 'status', label: 'Status', options: ['accepted', 'reviewed', 'expired', 'superseded'] },
        { name: 'q', label: 'Title', text: true },
      ]}
      columns={[
        { name: 'Evidence', clip: true, show: ({ title }) => title },
        { name: 'Kind', show: ({ kind }) => words(kind) },
        { name: 'Status', show: ({ status }) => <Badge value={status} /> },
        { name: 'Freshness', right: true, show: ({ freshness }) => percent(freshness) },
        { name: 'Strength', right: true, show: ({ strength }) => percent(strength) },
        { name: 'Collected', show: ({ collected_at }) => <Ago at={collected_at} /> },
        { name: 'Valid until', show: ({ valid_until }) => date(valid_until) },
        { name: 'SHA-256', show: ({ sha256 }) => <code>{sha256.slice(0, 12)}</code> },
      ]}
      empty={<Empty title="No evidence yet" icon="compliance" />}
    />
  )
}
