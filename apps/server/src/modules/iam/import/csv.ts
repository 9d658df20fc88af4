/** People of a table: one a line, columns by name. Tested in import.test.ts. */
import { readTable, type TableRow } from '../../../kernel/http/body/csv-table.ts'
import { storedForeign } from '../passwords/foreign.ts'
import { fieldFaults, type ImportedPerson } from './person.ts'
import { mostPeople } from './schema.ts'

const columns = [
  ...['email', 'display_name', 'roles', 'department', 'locale', 'time_zone', 'expires_at'],
  ...['password_hash', 'must_change_password'],
] as const

/** @throws TableFault */
export function peopleOfTable(text: string): readonly ImportedPerson[] {
  const form = { columns, required: ['email'], maxRows: mostPeople, maxCell: 2_000 }
  return readTable(text, form).map(personOf)
}

function personOf({ line, cells, faults }: TableRow): ImportedPerson {
  const field = (name: (typeof columns)[number]) => {
    const value = cells.get(name)?.trim()
    return value === undefined || value === '' ? {} : { [name]: value }
  }
  const fields = {
    ...field('email'),
    ...field('display_name'),
    ...field('department'),
    ...field('locale'),
    ...field('time_zone'),
    ...field('expires_at'),
  }
  const phc = cells.get('password_hash')?.trim() ?? ''
  const hash = phc === '' ? null : storedForeign(phc)
  const change = cells.get('must_change_password')?.trim() ?? 'false'
  return {
    line,
    fields,
    roles: namesIn(cells.get('roles') ?? ''),
    passwordHash: hash,
    passwordSetAt: null,
    mustChangePassword: change === 'true',
    enabled: true,
    skipped: false,
    notes: [],
    faults: [
      ...faults,
      ...(faults.length > 0 ? [] : fieldFaults(fields)),
      ...(phc !== '' && hash === null ? ['password_hash: not one of PBKDF2, scrypt or Argon2 within the bounds.'] : []),
      ...(change === 'true' || change === 'false' ? [] : ['must_change_password: true or false.']),
    ],
  }
}

const namesIn = (cell: string): readonly string[] => [
  ...new Set(
    cell
      .split(';')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
]
