import { isJson, type Json, textIn } from './imported.ts'

/** Resolves `{"$ref": name}`; returns everything else unchanged. */
export function resolved(logic: unknown, evaluators: Json): unknown {
  return isJson(logic) && typeof logic.$ref === 'string' ? evaluators[logic.$ref] : logic
}

/** The name in `{"var": name}`; null for anything else. */
export function variableIn(expression: unknown): string | null {
  if (!isJson(expression)) return null
  return Array.isArray(expression.var) ? textIn(expression.var[0]) : textIn(expression.var)
}
