import { table } from '../../../kernel/db/table.ts'
import { FeedbackRow } from '../schemas/feedback.ts'

/** User feedback on answers and detections. Later feedback does not overwrite earlier feedback; the last one counts. */
export const feedbacks = table({
  name: 'gateway_feedback',
  row: FeedbackRow,
  noun: 'feedback',
  data: { category: 'model_call_feedback', subject: ['user_id'], retention: 'P400D', erasure: 'delete' },
})
