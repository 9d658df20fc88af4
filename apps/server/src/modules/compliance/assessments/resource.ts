import { resource } from '../../../kernel/resource/resource.ts'
import { assessments } from './tables.ts'

export const assessmentResource = resource({ table: assessments, kind: 'compliance_assessment' })
