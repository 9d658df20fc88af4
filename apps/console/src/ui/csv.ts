/** Tables as CSV (RFC 4180). Pure but for `download`. Tested in csv.test.ts. */
export type Cell = string | number | null

/** Fields that a spreadsheet would take for a formula begin with an apostrophe. */
export function csvOf(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [head, ...rows].map((row) => row.map(field).join(',')).join('\r\n')
}

function field(value: Cell): string {
  if (value === null) return ''
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
