/** How refusals read in SCIM: the error form of RFC 7644 section 3.12, with our code beside it. */
import Type from 'typebox'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { ProblemError } from '../../../kernel/errors/problem.ts'
import type { RawForm } from '../../../kernel/module/raw-form.ts'

/** Table 9 of RFC 7644, and the additions of RFC 9865. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'
  | 'sensitive'
  | 'invalidCursor'
  | 'expiredCursor'
  | 'invalidCount'

/** A 400 that says in SCIM's own words what was wrong. */
export function scimProblem(scimType: ScimType, what: string): ProblemError {
  return apiErrors.validation({ what }).withMembers({ scimType })
}

const errorUrn = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** By code, where the thrower does not know that SCIM is spoken. */
const typeOf: Readonly<Record<string, ScimType>> = {
  'API-001': 'invalidValue',
  'API-002': 'invalidSyntax',
  'IAM-001': 'uniqueness',
  'API-011': 'uniqueness',
}

export const scimForm: RawForm = {
  under: '',
  mediaType: 'application/scim+json',
  errorSchema: Type.Object({
    schemas: Type.Array(Type.String()),
    status: Type.String(),
    scimType: Type.Optional(Type.String()),
    detail: Type.String(),
    error_code: Type.String(),
    request_id: Type.String(),
    errors: Type.Array(
      Type.Object({ error_code: Type.String(), detail: Type.String(), pointer: Type.Optional(Type.String()) }),
    ),
  }),
  error: (problem, { requestId }) => {
    const scimType = problem.members.scimType ?? typeOf[problem.code]
    return {
      body: {
        schemas: [errorUrn],
        status: String(problem.status),
        ...(scimType === undefined ? {} : { scimType }),
        detail: problem.message,
        error_code: problem.code,
        request_id: requestId,
        errors: problem.parts,
      },
    }
  },
}
