import type { Data } from '../api/client'
import { useOne } from '../api/hooks'
import { Badge } from '../ui/badge'
import { Detail, useId } from '../ui/detail'
import { Facts } from '../ui/field'
import { date, words } from '../ui/format'
import { Panel } from '../ui/panel'
import { Loaded } from '../ui/states'
import { Table } from '../ui/table'

type Assessment = Data<'/compliance/assessments/{assessment_id}'>

export function AssessmentDrawer() {
  const id = useId()
  const assessment = useOne('/compliance/assessments/{assessment_id}', { params: { assessment_id: id } })
  return (
    <Detail title={assessment.data?.data.name ?? 'Assessment'} here="/compliance/assessments">
      <Loaded query={assessment} lines={8}>
        {({ data }) => <AssessmentParts assessment={data} />}
      </Loaded>
    </Detail>
  )
}

function AssessmentParts({ assessment }: { readonly assessment: Assessment }) {
  const { classification, progress } = assessment
  return (
    <>
      <div className="row">
        <Badge value={assessment.status} />
        <span>{words(assessment.type)}</span>
      </div>
      <Panel title="Facts">
        <Facts
          rows={[
            ['Scope', assessment.scope],
            ['Progress', `${progress.assessed} of ${progress.controls} controls assessed`],
            ['Due', assessment.due_at === null ? '–' : date(assessment.due_at)],
            ['Completed', assessment.completed_at === null ? '–' : date(assessment.completed_at)],
            [
              'Sealed as',
              assessment.snapshot_sha256 === null ? '–' : <code key="seal">{assessment.snapshot_sha256}</code>,
            ],
          ]}
        />
      </Panel>
      {classification === null ? null : (
        <Panel title="Classification under the EU AI Act" flush>
          <Table
            label="Obligations"
            rows={classification.obligations}
            keyOf={({ ref, title }) => `${ref} ${title}`}
            columns={[
              { name: 'Article', show: ({ ref }) => ref },
              { name: 'Obligation', show: ({ title }) => title },
              { name: 'Applies from', show: ({ applies_from }) => applies_from ?? '–' },
              { name: 'Days left', right: true, show: ({ days_left }) => days_left ?? '–' },
            ]}
          />
        </Panel>
      )}
    </>
  )
}
