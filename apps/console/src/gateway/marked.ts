/** Text cut at its placeholders. Pure. Tested in marked.test.ts. */
export interface Part {
  readonly key: string
  readonly part: string
  readonly placeholder: boolean
}

/** Placeholders as the gateway writes them: `⟦EMAIL_1⟧`. */
const form = /(⟦[A-Z0-9_]+⟧)/

export function marked(text: string): readonly Part[] {
  return text
    .split(form)
    .map((part, index) => ({ key: `${index}`, part, placeholder: form.test(part) }))
    .filter(({ part }) => part !== '')
}
