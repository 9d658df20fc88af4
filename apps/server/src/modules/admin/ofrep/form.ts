/** Answers and errors in the form of the OpenFeature Remote Evaluation Protocol 0.3.0 (open-feature/protocol). */
import Type from 'typebox'
import type { ProblemError } from '../../../kernel/errors/problem.ts'
import type { RawFacts, RawForm } from '../../../kernel/module/raw-form.ts'

const errorSchema = Type.Object({
  key: Type.Optional(Type.String()),
  errorCode: Type.Optional(Type.String()),
  errorDetails: Type.Optional(Type.String()),
})

export const ofrepForm: RawForm = {
  under: '/evaluate',
  crossOrigin: true,
  errorSchema,
  error: (problem, { path }) => ({
    body: {
      ...keyIn(path),
      errorCode: codeOf(problem),
      errorDetails: problem.message,
      ...problem.members,
      // Beyond the protocol: members that the platform's own answers have too.
      error_code: problem.code,
      errors: problem.parts,
    },
  }),
}

function codeOf({ status, code }: ProblemError): string {
  if (status === 404) return 'FLAG_NOT_FOUND'
  if (code === 'API-002') return 'PARSE_ERROR'
  return status === 400 ? 'INVALID_CONTEXT' : 'GENERAL'
}

/** A single evaluation's error names its flag. */
function keyIn(path: RawFacts['path']): { readonly key?: string } {
  const [, key] = /\/evaluate\/flags\/([^/]+)$/.exec(path) ?? []
  return key === undefined ? {} : { key: key.slice(0, 300) }
}
