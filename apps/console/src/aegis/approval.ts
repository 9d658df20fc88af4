import type { Data } from '../api/client'

export type Approval = Data<'/aegis/approvals'>
