import { resource } from '../../../kernel/resource/resource.ts'
import type { ConversationRow } from '../declared/conversation-schema.ts'
import { conversations } from '../declared/conversation-tables.ts'

export const conversationResource = resource<ConversationRow>({ table: conversations, kind: 'svc_ai_conversation' })
