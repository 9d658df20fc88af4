import { Badge } from '../ui/badge'
import { words } from '../ui/format'
import { ListPage } from '../ui/list-page'
import { Empty } from '../ui/states'
import { Ago } from '../ui/time'

const channels = ['compliance.assessment.']

export function AssessmentsPage() {
  return (
    <ListPage
      title="Assessments"
      purpose="Assessments of frameworks by people and by checks, and classifications under the EU AI Act."
      path="/compliance/assessments"
      here="/compliance/assessments"
      channels={channels}
      keyOf={({ id }) => id}
      filters={[
        { name: 'type', label: 'Kind', options: ['framework', 'automated', 'ai_act_classification'] },
        {
          name: 'status',
          label: 'Status',
          options: ['draft', 'in_progress', 'in_review', 'completed', 'superseded', 'cancelled'],
        },
        { name: 'q', label: 'Name', text: true },
      ]}
      columns={[
        { name: 'Assessment', show: ({ name }) => name },
        { name: 'Kind', show: ({ type }) => words(type) },
        { name: 'Status', show: ({ status }) => <Badge value={status} /> },
        { name: 'Scope', clip: true, show: ({ scope }) => scope },
        { name: 'Due', show: ({ due_at }) => <Ago at={due_at} /> },
        { name: 'Completed', show: ({ completed_at }) => <Ago at={completed_at} /> },
      ]}
      empty={
        <Empty title="No assessments" icon="compliance">
          <p>
            An assessment gives each control of a framework a verdict with its evidence, and is approved by a second
            person.
          </p>
        </Empty>
      }
    />
  )
}
