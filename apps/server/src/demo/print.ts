/** The demo talks to a person on standard output. */
export function line(text: string): void {
  process.stdout.write(`  ${text}\n`)
}

export function heading(text: string): void {
  process.stdout.write(`\n${text}\n`)
}

export function quote(label: string, text: string): void {
  process.stdout.write(`  ${`${label}:`.padEnd(18)}${text}\n`)
}
