/**
 * The names under which a rule that denies a model means it. Vendors take names in any case and serve dated snapshots
 * (`gpt-4o-2024-08-06`, `claude-sonnet-4@20250514`) of a model that is denied by its plain name. For denials only: an
 * allowed model is allowed by its exact name. Tested in model-names.test.ts.
 */
const snapshot = /(?:[-@:_](?:20\d{2}-\d{2}-\d{2}|20\d{6}|latest)){1,2}$/

/** Lower case, as written and without the date of a snapshot. */
export function deniedForms(name: string): readonly string[] {
  const lower = name.toLowerCase()
  const plain = lower.replace(snapshot, '')
  return plain === lower ? [lower] : [lower, plain]
}

/** Whether a denial of `denied` means the model. */
export function isDeniedModel(denied: string | null, model: string | null): boolean {
  return denied !== null && model !== null && deniedForms(model).includes(denied.toLowerCase())
}
