import Type from 'typebox'
import { table } from '../../src/kernel/db/table.ts'
import { defineErrors } from '../../src/kernel/errors/errors.ts'
import { defineEvent } from '../../src/kernel/events/catalogue/catalogue.ts'
import type { Kernel } from '../../src/kernel/kernel.ts'
import { defineModule, type Module } from '../../src/kernel/module/module.ts'
import { routesOf, Versioned } from '../../src/kernel/module/route.ts'
import { change, hold, newRow, resource } from '../../src/kernel/resource/resource.ts'
import { nullable, resource as resourceSchema, strictObject } from '../../src/kernel/schema/types.ts'

/** A thirteenth module as a newcomer would write it: the kernel's own suites drive the kernel through it. */
const errors = defineErrors('RISK', { locked: [1, 409, 'Note Locked', () => 'This note is locked.'] })

export const Note = resourceSchema({
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

const noteResource = resource({ table: notes, kind: 'note' })

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
      const note = { ...newRow(kernel, tx), title: body.title, body: body.body ?? null }
      // Says nothing of it: the route's own entry is what the kernel's suites look at.
      await notes.insert(tx, note)
      await tx.emit(noteCreated, note.id, { note_id: note.id })
      return new Versioned(note, note.version)
    },
  }),
  route.get('/notes/{note_id}', {
    permission: 'risk:read',
    summary: 'Read a note',
    returns: [200, Note],
    handler: async ({ tx, params }) => {
      const note = await notes.need(tx, params.note_id)
      return new Versioned(note, note.version)
    },
  }),
  route.patch('/notes/{note_id}', {
    permission: 'risk:write',
    summary: 'Change a note',
    body: strictObject({ title: Type.Optional(Note.properties.title) }),
    returns: [200, Note],
    audit: 'note.change',
    errors: [errors.locked],
    handler: async ({ tx, params, body, precondition, kernel }) => {
      const held = await hold(tx, noteResource, { id: params.note_id, precondition })
      if (held.row.title === 'locked') throw errors.locked()
      const note = await change(kernel, tx, held, { action: 'note.change', changes: body })
      return new Versioned(note, note.version)
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
