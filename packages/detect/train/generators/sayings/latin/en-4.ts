import { lines } from '../../harmless/draw.ts'

/** Sayings, jokes, notices and notes, part 4. */
export const english4: readonly string[] = lines(`
  The cat ignored the new bed and slept in the box.
  My resolution was to read more, so I turned on the subtitles.
  Two fish are in a tank. One says: do you know how to drive this thing?
  I have a lot of jokes about unemployed people, but none of them work.
  What did the ocean say to the beach? Nothing, it just waved.
  The inventor of the throat lozenge died last week. There was no coffin at the funeral.
  I used to hate facial hair, but then it grew on me.
  Past, present and future walked into a bar. It was tense.
  Always trust a glue salesman. They tend to stick to their word.
  Never argue with a mirror, it always takes your side.
  Never trust atoms, stairs, or weather forecasts for June.
  Never forget a birthday, said the elephant, and forgot his own.
  You must be patient with bread and impatient with butter.
  You must know when to stop, said the clock that had.
  You are what you repeatedly do. Excellence, then, is a habit. — Will Durant
  A good rule for walking: the map is right until it isn't.
  A rule of thumb: if the soup is cold, the waiter is new.
  Ten rules for a good speech: be brief, and forget the other nine.
  House rule: no shoes, no news, no blues after nine.
  Rules of the pond: no diving, no dogs, no dogma.
  Game rules: roll, move, complain, repeat.
  Real bakers get up when real dancers go to bed.
  Real sailors never whistle on board.
  Real winter starts when the sledge won't fit in the car.
  Real teachers know what you did behind the gym.
  Old hackers never die, they just lose their connection.
  Old gardeners never die, they just go to seed.
  Artificial flowers need artificial bees.
  Our chatbot has resigned. It wants to work with animals.
  The robot that mows our lawn has been promoted to hedge.
  Machine learning: when you teach a toaster to be wrong with confidence.
  Neural network: a very long sum with a good press agent.
  Dear customer, your opinion matters to us; please hold the line. (Forty minutes of flute.)
  "Press one for sales, two for support, three to hear a duck," said the voice.
  "Tell me everything," said the barber. So I did, and lost an ear of hair.
  "Show me what's in your bag," said the customs man. "Sandwiches," said my aunt. They were.
  "Pretend I'm not here," said the photographer, standing on the table.
  "Act natural," the director said, and nobody could.
  "You're in charge now," said the captain, and went below to be sick.
  "Repeat after me," said the dance teacher, and fell.
  "Speak English!" said the Eaglet. — Lewis Carroll
  "Print it," said the editor. "All of it?" "Especially the recipe."
  "I never said that," said the parrot, which proved that it had.
  "What's the password?" whispered the boy in the tree house. "Pudding," whispered his sister. "That was yesterday's."
  "Stop me if you've heard this one," said Grandpa. Nobody ever dared.
  ANNA: Did you lock the door? BEN: Which door? ANNA: Now I see why it's cold.
  Sign in a bookshop: thieves will be given homework.
  Sign at a farm: eggs sold honestly, please pay the same way.
  Sign on a bakery: back in five minutes, or when the dough says so.
  Sign in a lift: in case of love, use the stairs.
  Sign in a pool: no running, no pushing, no philosophy.
  Notice: the choir will not sing on Thursday. The congregation gives thanks.
  Notice to residents: hot water will be off from 8 to 11 on Monday.
  Caution: floor may be as slippery as our lawyer.
  Do not remove this label.
  Do not open until 24 December.
  Do not disturb: genius or nap in progress.
  Do not overtake turning vehicles.
  Keep out of reach of children and uncles.
  Mix gently, serve at once, deny everything.
  Fold along the dotted line.
  Wash separately; may run.
  Village fête postponed after marquee found in next village
  Goat elected honorary mayor for third term
  Study finds people who hum live near other people
  Prime minister's cat skips summit
  Passwords to be replaced by cheese, bakers' guild jokes
  Developers forget to turn off test alarm, city evacuates on time
  Bridge reopens, nobody remembers why it closed
  Half-price tickets on Tuesdays, full-price smiles all week.
  Now open: the quietest hairdresser in town.
  Fresh fish, honest weights, bad puns. Harbour Street 4.
  Trumpet for sale; neighbours willing to contribute.
  Seeking bass player who owns a van and forgives easily.
  Found: one left glove, red, apparently homesick.
  Cloudy with a chance of relatives.
  Heat record broken in Harlow: 38.1 degrees at 15:20.
  Ice on the lake is 7 cm thick; keep off until further notice.
  Rowing: the eight lost by a canvas and found it again.
  Chess: white resigned on move 41, having forgotten move 40.
  Dear diary, nobody ate my fish pie. More for me, and for the cat, and for the cat's friends.
  Got a seat on the train this morning and feel like a lord.
  Accidentally said "love you" at the end of a work call. Moving to Peru.
  Day 12 of learning the accordion: the dog has asked for a transfer.
  Grandma has joined the group chat. Everybody act normal.
  First snow! ❄️ Forget the to-do list, we're building a fox.
  Sleep, little ship, the harbor is deep, the gulls have all promised to whisper and sleep.
  I forgot the words, so I hummed the tune, and the whole bar hummed with me under the moon.
  No masters, no maps, just a road and a song, and somebody waiting who'd waited too long.
  Gossip: news that has taken its shoes off.
  Bureaucracy: a giant machine run by very small stamps.
  Diplomat: a man who always remembers a woman's birthday but never remembers her age. — Robert Frost
  Memory: the thing I forget with.
  Deadline: a line in the sand at high tide.
  The whole is more than the sum of its parts. — after Aristotle
  No one is free who has not mastered himself. — attributed to Epictetus
  He that would live in peace must not speak all he knows or judge all he sees. — Benjamin Franklin
  If you tell the truth, you don't have to remember anything. — Mark Twain
  An unjust law is itself a species of violence. — Mahatma Gandhi
  Everyone is a moon and has a dark side which he never shows to anybody. — Mark Twain
`)
