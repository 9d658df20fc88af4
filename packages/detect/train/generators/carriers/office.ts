import type { Writer } from './writer.ts'

type Shape = (w: Writer) => string

/** Letters, tickets, calendars, chats: what people send each other. */
export const officeShapes: Readonly<Record<string, Shape>> = {
  email: (w) =>
    `From: ${w.name()} <${w.mail()}>\nTo: ${w.mail()}\nDate: ${w.date()} ${w.time()}\nSubject: ${w.title()}\n\n` +
    `${w.fill('(Hi|Hello|Dear|Good morning)')} ${w.name().split(' ')[0]},\n\n${w.prose(3)}\n\n${w.prose(2)}\n\n` +
    `${w.fill('(Best regards|Thanks|Kind regards|Cheers|Yours)')},\n${w.name()}`,
  'email-short': (w) => `Subject: ${w.title()}\n\n${w.prose(2)}\n\n-- \n${w.name()}\n${w.fill('{company}, {place}')}`,
  'email-body': (w) => `${w.fill('(Hey all|Hi team|Dear colleagues|Hello everyone)')},\n\n${w.prose(4)}\n\n${w.name()}`,
  'email-forward': (w) =>
    `FYI\n\n---------- Forwarded message ----------\nFrom: ${w.name()} <${w.mail()}>\nSubject: Re: ${w.title()}\n\n` +
    `${w.prose(3)}\n\n> ${w.prose(2).replaceAll('. ', '.\n> ')}\n\nSent from my phone`,
  'email-json': (w) =>
    `EMAIL_CONTENT: ${w.prose(3)}\nSUBJECT: ${w.title()}\nEMAIL_FROM: ${w.mail()}\nRECEIVED DATE: ${w.date()}`,
  newsletter: (w) =>
    `${w.title().toUpperCase()}\n${w.fill('Issue {n}, {month}')}\n\n${w.list(2, 4, () => `* ${w.title()}\n${w.prose(2)}`).join('\n\n')}\n\n` +
    `You receive this letter because you signed up at ${w.fill('{company}')}. Unsubscribe at any time.`,
  memo: (w) =>
    `MEMO\nTo: all staff\nFrom: ${w.name()}\nRe: ${w.title()}\n\n${w.list(2, 4, (i) => `${i + 1}. ${w.prose(1)}`).join('\n')}`,
  minutes: (w) =>
    `Minutes: ${w.title()}, ${w.date()}\nPresent: ${w.name()}, ${w.name()}, ${w.name()}\n\n` +
    `${w.list(2, 5, (i) => `${i + 1}. ${w.title()}\n   ${w.prose(2)}`).join('\n')}\n\nNext meeting: ${w.fill('{day}, {n} {month}')}`,
  ticket: (w) =>
    `Ticket #${w.number(1000, 99999)}\nStatus: ${w.fill('(open|pending|waiting for customer|closed)')}\nPriority: ${w.fill('(low|normal|high|P2)')}\n` +
    `Requester: ${w.name()}\n\nDescription:\n${w.prose(3)}\n\nComment (${w.name()}): ${w.prose(1)}`,
  'ticket-bug': (w) =>
    `## ${w.title()} (#${w.number(10, 4000)})\n\n**Steps to reproduce**\n${w.list(2, 4, (i) => `${i + 1}. ${w.prose(1)}`).join('\n')}\n\n` +
    `**Expected**\n${w.sentence()}\n\n**Actual**\n${w.prose(1)}\n\n**Version** ${w.number(0, 9)}.${w.number(0, 20)}.${w.number(0, 9)}`,
  'chat-slack': (w) => w.list(4, 9, () => `${w.name().split(' ')[0]}  ${w.time().slice(0, 5)}\n${w.line()}`).join('\n'),
  'chat-phone': (w) => w.list(4, 10, () => `[${w.date()}, ${w.time()}] ${w.name()}: ${w.line()}`).join('\n'),
  'chat-support': (w) => w.list(3, 6, () => `Customer: ${w.line()}\nAgent: ${w.line()}`).join('\n'),
  transcript: (w) =>
    `Transcript of ${w.title()}\n\n${w.list(4, 8, () => `${w.name().toUpperCase()}: ${w.prose(2)}`).join('\n\n')}`,
  interview: (w) =>
    w
      .list(3, 6, () => `Q: ${w.fill('(What about|And|Tell us about|How is)')} the ${w.noun()}?\nA: ${w.prose(2)}`)
      .join('\n\n'),
  calendar: (w) =>
    `BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:${w.number(100000, 999999)}@example.com\nDTSTART:${w.date().replaceAll('-', '')}T090000Z\n` +
    `SUMMARY:${w.title()}\nLOCATION:${w.fill('{place}')}\nDESCRIPTION:${w.prose(2)}\nEND:VEVENT\nEND:VCALENDAR`,
  invitation: (w) =>
    `Event: ${w.title()}\nWhen: ${w.date()} ${w.time().slice(0, 5)}\nWhere: ${w.fill('Room {n}, {place}')}\nOrganizer: ${w.name()}\nNotes: ${w.prose(2)}`,
  resume: (w) =>
    `${w.name().toUpperCase()}\n${w.fill('{place}')} | ${w.mail()}\n\nProfile\n${w.prose(1)}\n\nExperience\n` +
    `${w.list(2, 4, () => `${w.fill('(Engineer|Analyst|Nurse|Project manager|Designer|Accountant)')}, ${w.fill('{company}')} (20${w.number(10, 18)} - 20${w.number(19, 25)})\n- ${w.prose(1)}\n- ${w.prose(1)}`).join('\n\n')}\n\n` +
    `Education\n${w.fill('(BSc|MSc|BA|Diploma), University of {place}')}\n\nSkills\n${w.noun()}, ${w.noun()}, ${w.noun()}\n${w.prose(1)}`,
  'cover-letter': (w) =>
    `Dear hiring team at ${w.fill('{company}')},\n\nI apply for the position of ${w.fill('(analyst|teacher|technician|editor)')}. ${w.prose(3)}\n\nSincerely,\n${w.name()}`,
  review: (w) => `${'★'.repeat(w.number(1, 5))} ${w.title()}\nby ${w.name()} on ${w.date()}\n${w.prose(3)}`,
  reviews: (w) => w.list(3, 6, () => `${w.number(1, 5)}/5 - ${w.name().split(' ')[0]}: ${w.prose(2)}`).join('\n'),
  survey: (w) =>
    `Question ${w.number(1, 12)}: ${w.fill('What do you think of the {noun}?')}\n${w.list(4, 8, (i) => `Response ${i + 1}: ${w.line()}`).join('\n')}`,
  invoice: (w) =>
    `INVOICE ${w.number(1000, 9999)}\n${w.fill('{company}, {place}')}\nDate: ${w.date()}\n\n` +
    `${w.list(2, 5, () => `${w.noun().padEnd(14)} ${w.number(1, 9)} x ${w.number(3, 90)}.00`).join('\n')}\n\nNotes: ${w.prose(2)}`,
  forum: (w) =>
    `${w.title()}?\n\n${w.list(3, 6, (i) => `#${i + 1} ${w.fill('(user|guest|member)')}${w.number(10, 999)} wrote:\n${w.prose(2)}`).join('\n\n')}`,
  social: (w) =>
    w
      .list(3, 7, () => `@${w.name().split(' ')[0]?.toLowerCase()}${w.number(1, 99)}: ${w.line()} #${w.noun()}`)
      .join('\n'),
}
