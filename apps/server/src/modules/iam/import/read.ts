/** Reads a document of people: seconds of the processor for ten thousand, so it runs in a thread. Tested in import.test.ts. */
import { TableFault } from '../../../kernel/http/body/csv-table.ts'
import type { ThreadTask } from '../../../kernel/threads/thread-task.ts'
import { peopleOfTable } from './csv.ts'
import { peopleOfRealm, RealmFault } from './keycloak.ts'
import type { ImportedPerson } from './person.ts'
import type { ImportUsers } from './schema.ts'

export type ReadPeople = { readonly people: readonly ImportedPerson[] } | { readonly fault: string }

export const readPeople: ThreadTask<Pick<ImportUsers, 'format' | 'document'>, ReadPeople> = {
  name: 'iam.read_people',
  run: ({ format, document }) => {
    try {
      const people = format === 'csv' ? peopleOfTable(document) : peopleOfRealm(document)
      return people.length > 0 ? { people } : { fault: 'The document has nobody in it.' }
    } catch (error) {
      if (error instanceof TableFault || error instanceof RealmFault) return { fault: error.message }
      throw error
    }
  },
}
