import { table } from '../../../kernel/db/table.ts'
import { FeedbackRow } from '../schemas/feedback.ts'

/** What people say about answers and detections. A later word does not replace an earlier one; the last one counts. */
export const feedbacks = table({
  name: 'gateway_feedback',
  row: FeedbackRow,
  noun: 'feedback',
  data: { category: 'model_call_feedback', subject: ['user_id'], retention: 'P400D', erasure: 'delete' },
})
