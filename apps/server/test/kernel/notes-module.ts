import Type from 'typebox'
import { table } from '../../src/kernel/db/table.ts'
import { defineErrors } from '../../src/kernel/errors/errors.ts'
import { defineEvent } from '../../src/kernel/events/catalogue/catalogue.ts'
import type { Kernel } from '../../src/kernel/kernel.ts'
import { defineModule, type Module } from '../../src/kernel/module/module.ts'
import { Answer, routesOf } from '../../src/kernel/module/route.ts'
import { nullable, resource, strictObject } from '../../src/kernel/schema/types.ts'

/** A thirteenth module as a newcomer would write it: the kernel's own suites drive the kernel through it. */
const errors = defineErrors('RISK', { locked: [1, 409, 'Note Locked', () => 'This note is locked.'] })

export const Note = resource({
  title: Type.String({ minLength: 1, maxLength: 100 }),
  body: nullable(Type.String({ maxLength: 10_000 })),
})

const notes = table({
  name: 'test_note',
  row: Type.Object({ ...Note.properties, version: Type.Integer() }),
  sorts: ['created_at', 'title'],
  noun: 'note',
  data: { category: 'test', subject: [], retention: 'tenant', erasure: 'none' },
})

export const noteCreated = defineEvent({
  channel: 'risk.note.created',
  type: 'NoteCreated',
  summary: 'A note was created.',
  schema: strictObject({ note_id: Type.String() }),
})

const route = routesOf<Kernel>()

const noteRoutes = [
  route.get('/notes', {
    permission: 'risk:read',
    summary: 'List notes',
    list: { table: notes, default: '-created_at' },
    returns: [200, Note],
    handler: ({ tx, page }) => notes.page(tx, page),
  }),
  route.post('/notes', {
    permission: 'risk:write',
    summary: 'Create a note',
    body: strictObject({ title: Note.properties.title, body: Type.Optional(Note.properties.body) }),
    returns: [201, Note],
    audit: 'note.create',
    handler: async ({ tx, body, kernel }) => {
      const now = kernel.clock.iso()
      const note = {
        id: kernel.random.uuid(),
        tenant_id: tx.tenantId,
        created_at: now,
        updated_at: now,
        title: body.title,
        body: body.body ?? null,
        version: 1,
      }
      await notes.insert(tx, note)
      await tx.emit(noteCreated, note.id, { note_id: note.id })
      return new Answer(note, { version: 1 })
    },
  }),
  route.get('/notes/{note_id}', {
    permission: 'risk:read',
    summary: 'Read a note',
    returns: [200, Note],
    handler: async ({ tx, params }) => {
      const note = await notes.need(tx, params.note_id)
      return new Answer(note, { version: note.version })
    },
  }),
  route.patch('/notes/{note_id}', {
    permission: 'risk:write',
    summary: 'Change a note',
    body: strictObject({ title: Type.Optional(Note.properties.title) }),
    returns: [200, Note],
    audit: 'note.change',
    errors: [errors.locked],
    handler: async ({ tx, params, body, expectVersion, kernel }) => {
      const note = await notes.needForUpdate(tx, params.note_id)
      expectVersion(note.version)
      if (note.title === 'locked') throw errors.locked()
      const changes = { ...body, version: note.version + 1, updated_at: kernel.clock.iso() }
      await notes.patch(tx, note.id, changes)
      await tx.audit('note.change', { target: `note:${note.id}`, before: note, after: { ...note, ...changes } })
      return new Answer({ ...note, ...changes }, { version: changes.version })
    },
  }),
]

export const notesModule: Module = defineModule<Kernel>({
  name: 'risk',
  prefix: 'risk',
  errors,
  tables: [notes],
  migrations: [
    {
      id: 'risk-0001-notes',
      sql: `create table test_note (
        tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
        id uuid not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        title text not null,
        body text,
        version int not null default 1,
        primary key (tenant_id, id));
        create index test_note_created on test_note (tenant_id, created_at, id);
        create index test_note_title on test_note (tenant_id, title, id);`,
    },
  ],
  routes: noteRoutes,
  emits: [noteCreated],
  services: (kernel) => kernel,
})
