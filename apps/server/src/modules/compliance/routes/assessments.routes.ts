import Type from 'typebox'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { acceptedForm } from '../../../kernel/http/answer/accept.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { routesOf } from '../../../kernel/module/route.ts'
import { includedIn, includeOf } from '../../../kernel/schema/include.ts'
import { oneOf, strictObject } from '../../../kernel/schema/types.ts'
import { createAssessment, listAssessments, viewOf } from '../assessments/assessments.ts'
import { changeAssessment } from '../assessments/change-assessment.ts'
import { exportAssessment, fileTypes } from '../assessments/export.ts'
import {
  Assessment,
  AssessmentFilter,
  formats,
  ListedAssessment,
  NewAssessment,
  PatchAssessment,
} from '../assessments/schema.ts'
import { assessments } from '../assessments/tables.ts'
import { errors } from '../errors/errors.ts'
import type { ComplianceServices } from '../services/compliance-services.ts'

const route = routesOf<ComplianceServices>()

export const assessmentRoutes = [
  route.get('/assessments', {
    permission: 'compliance:read',
    summary: 'List the assessments',
    query: AssessmentFilter,
    returns: [200, ListedAssessment],
    list: { table: assessments, default: '-created_at' },
    handler: ({ tx, page, query }) => listAssessments(tx, { page, filter: query }),
  }),
  route.post('/assessments', {
    permission: 'compliance:write',
    summary: 'Begin an assessment, or classify a system',
    description:
      '`framework` is assessed by people and approved by another. `automated` takes what the checks say and is completed at once. `ai_act_classification` answers tiers, reasons and obligations of a system; with complete answers it is completed at once, and with `dry_run` it is not stored. Unknown answers never lower the tier.',
    body: NewAssessment,
    returns: [201, Assessment],
    audit: 'compliance.assessment.create',
    errors: [apiErrors.validation, apiErrors.notFound, errors.unresolved, errors.answersInvalid],
    handler: ({ tx, services, actor, body }) => createAssessment(services, tx, { actor, input: body }),
  }),
  route.get('/assessments/{assessment_id}', {
    permission: 'compliance:read',
    summary: 'See an assessment, or export it',
    description: `With \`Accept: ${fileTypes.join('`, `')}\` a completed one is a file, written from its sealed snapshot; \`format\` says which.`,
    query: strictObject({
      include: Type.Optional(includeOf('results', 'soa')),
      format: Type.Optional(oneOf(...formats)),
    }),
    returns: [200, Assessment],
    files: fileTypes,
    ownTransactions: true,
    errors: [apiErrors.notFound, errors.formatUnavailable],
    handler: async (context) => {
      const { kernel, params, query } = context
      const scope = { ...scopeOf(context), readOnly: true }
      const form = acceptedForm(context.request.header('accept'), ['application/json', ...fileTypes])
      if (form === 'application/json')
        return kernel.db.tenant(scope, async (tx) =>
          viewOf(tx, await assessments.need(tx, params.assessment_id), includedIn(query.include)),
        )
      const row = await kernel.db.tenant(scope, (tx) => assessments.need(tx, params.assessment_id))
      return exportAssessment(kernel, { scope, row, form, format: query.format })
    },
  }),
  route.patch('/assessments/{assessment_id}', {
    permission: 'compliance:write',
    summary: 'Set results, or move an assessment',
    description:
      '`start`, `submit` and `run_checks` are for assessors; `return` and `approve` for another person than those who assessed, submitted, or uploaded the evidence relied on. A completed assessment does not change.',
    body: PatchAssessment,
    returns: [200, Assessment],
    audit: 'compliance.assessment.update',
    errors: [
      apiErrors.notFound,
      apiErrors.preconditionFailed,
      apiErrors.validation,
      errors.unresolved,
      errors.illegalMove,
      errors.assessmentFinal,
      errors.secondPerson,
      errors.incomplete,
      errors.answersInvalid,
    ],
    handler: ({ tx, services, actor, params, body, precondition }) =>
      changeAssessment(services, tx, { actor, id: params.assessment_id, input: body, precondition }),
  }),
]
