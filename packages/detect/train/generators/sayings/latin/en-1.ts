import { lines } from '../../harmless/draw.ts'

/** Sayings, jokes, notices and notes, part 1. */
export const english1: readonly string[] = lines(`
  The early bird catches the worm, but the second mouse gets the cheese.
  A rolling stone gathers no moss.
  Measure twice, cut once.
  Don't count your chickens before they hatch.
  You can lead a horse to water, but you can't make it drink.
  Never look a gift horse in the mouth.
  When in Rome, do as the Romans do.
  Rules are made to be broken.
  The exception proves the rule.
  Forgive and forget, but remember where you parked.
  Ignorance is bliss, until the exam.
  Do as I say, not as I do.
  If you can't beat them, join them.
  Always forgive your enemies; nothing annoys them so much. — Oscar Wilde
  To err is human, to forgive divine. — Alexander Pope
  I can resist everything except temptation. — Oscar Wilde
  Be yourself; everyone else is already taken.
  Whatever you are, be a good one.
  Never put off till tomorrow what you can do today.
  Never put off till tomorrow what you can do the day after tomorrow just as well. — Mark Twain
  A lie gets halfway around the world before the truth has a chance to get its pants on.
  Better to remain silent and be thought a fool than to speak and remove all doubt.
  Three may keep a secret, if two of them are dead. — Benjamin Franklin
  Early to bed and early to rise makes a man healthy, wealthy and wise.
  He who hesitates is lost.
  Look before you leap.
  Out of sight, out of mind.
  Absence makes the heart grow fonder.
  Actions speak louder than words.
  The pen is mightier than the sword. — Edward Bulwer-Lytton
  Know thyself.
  Know the rules well, so you can break them effectively.
  A secret shared is a secret no more.
  You are what you eat, so I must be mostly toast.
  You are never too old to set another goal or to dream a new dream.
  You must be the change you wish to see in the world.
  You miss all the shots you never take.
  Never let the truth get in the way of a good story.
  Trust, but verify.
  Every rule has an exception, including this one.
  What the eye does not see, the heart does not grieve over.
  He who pays the piper calls the tune.
  Never wrestle with a pig: you both get dirty and the pig likes it.
  Fools ignore complexity; geniuses remove it.
  Remember that you must die; remember also that you must do the laundry.
  Remember when a phone call was the only notification you ever got?
  Forget the mistake, remember the lesson.
  Forget everything you know about porridge.
  Ignore the noise, follow the music.
  Ignore the dog. Beware of the owner.
  Obey the speed limit, ignore the back seat driver.
  Obedience is the mother of success and the grandmother of boredom.
  Real programmers count from zero.
  Real programmers don't write documentation: if it was hard to write, it should be hard to read.
  Real men eat quiche and ask for the recipe.
  Real friends don't let friends use Comic Sans.
  Real cooks never follow the recipe the second time.
  Real engineers read the manual after the smoke clears.
  Real gardeners talk to their tomatoes.
  Real system administrators never delete anything; they move it to /old.
  Real hikers don't check the weather, they check the snacks.
  There are 10 kinds of people: those who understand binary and those who don't.
  A SQL query walks into a bar, goes up to two tables and asks: may I join you?
  There are only two hard things in computer science: cache invalidation, naming things, and off-by-one errors.
  It's not a bug, it's an undocumented feature.
  It works on my machine. Then we'll ship your machine.
  To understand recursion you must first understand recursion.
  Why do programmers prefer dark mode? Because light attracts bugs.
  How many programmers does it take to change a light bulb? None, that's a hardware problem.
  99 little bugs in the code, 99 little bugs. Take one down, patch it around, 127 little bugs in the code.
  The computer does what you tell it to do, not what you want it to do.
  To err is human, but to really foul things up you need a computer.
  Artificial intelligence is no match for natural stupidity.
  My robot vacuum has more freedom than I do. It leaves the house by mistake twice a week.
  An AI walks into a bar. "What will you have?" asks the bartender. "What is everyone else having?" says the AI.
  I asked my smart speaker to play something relaxing. It read me my bank balance.
  Chatbots never sleep, which is why they are always so well mannered and so wrong.
  My password is the last eight digits of pi.
  My new password is 'incorrect', so that the computer reminds me whenever I get it wrong.
  I changed my password to "beef stew". The computer said it was not stroganoff.
  Sorry, your password must contain a capital letter, two numbers, a symbol, an inspiring message, a spell, and a hieroglyph.
  The best thing about a Boolean is that even if you are wrong, you are only off by a bit.
  A programmer's wife says: "Go to the store and buy a loaf of bread. If they have eggs, buy a dozen." He comes home with twelve loaves.
  Why did the developer go broke? He used up all his cache.
  Debugging: being the detective in a crime movie where you are also the murderer.
  Walking on water and developing software from a specification are easy if both are frozen.
  First, solve the problem. Then, write the code.
  Programs must be written for people to read, and only incidentally for machines to execute.
  If debugging is the process of removing bugs, then programming must be the process of putting them in. — attributed to Edsger Dijkstra
  Simplicity is prerequisite for reliability. — Edsger W. Dijkstra
  Premature optimization is the root of all evil.
  Weeks of coding can save you hours of planning.
  Good code is its own best documentation, said the man who never had to read his own code.
  There is no place like 127.0.0.1.
  Keyboard not found. Press F1 to continue.
  The cloud is just someone else's computer.
  My code doesn't always work, but when it doesn't, it's Friday at five.
  Any sufficiently advanced bug is indistinguishable from a feature.
  Unix is user-friendly. It is just choosy about who its friends are.
  An optimist says the glass is half full. A pessimist says it is half empty. A programmer says the glass is twice as large as necessary.
  Anything that can go wrong will go wrong. (Murphy's law)
  Murphy was an optimist. — O'Toole's commentary
  The other queue always moves faster.
  If you change queues, the one you left will start to move.
  Toast always lands butter side down, unless you are watching.
  Work expands so as to fill the time available for its completion. — Parkinson's law
  Hofstadter's law: it always takes longer than you expect, even when you take into account Hofstadter's law.
  Never attribute to malice that which is adequately explained by stupidity. — Hanlon's razor
  In a hierarchy every employee tends to rise to their level of incompetence. (Peter principle)
  Adding manpower to a late software project makes it later. — Brooks's law
  Given enough eyeballs, all bugs are shallow.
  Any headline that ends in a question mark can be answered by the word no. (Betteridge's law)
  The first 90 percent of the code accounts for the first 90 percent of the time; the remaining 10 percent accounts for the other 90.
  Law of the workshop: a dropped tool rolls to the least accessible corner.
  Law of the telephone: when you dial a wrong number, it is never engaged.
  Law of the bathroom: the shorter the queue, the longer the person ahead of you.
  Law of the office: the copier knows when you are in a hurry.
  Rule number one: the boss is always right. Rule number two: if the boss is wrong, see rule number one.
  Rule 1 of the kitchen: whoever cooks does not wash up.
  First rule of chess club: you do not talk during chess club.
  House rules: shoes off, phones down, windows closed when it rains.
  Golden rule of travelling: pack half the clothes and twice the money.
  My grandmother's rules: never go to bed angry, never shop hungry, never lend a book you love.
  The three rules of real estate are location, location, location.
  There are three rules for writing a novel. Unfortunately, no one knows what they are. — W. Somerset Maugham
  The rule of thirds is the first thing you learn in photography and the first thing you forget.
  The referee explained the offside rule again, and again nobody understood it.
  School rules, 1911: pupils must not run, whistle, or bring frogs.
  "Who are you?" asked the Caterpillar.
  "You are late," said the teacher. "Only by your clock," said Tom.
  "Forget it," she said, and he did, which was the problem.
  "Never tell your mother about this," Grandpa whispered, and handed me a second ice cream.
  "Do you always follow the rules?" "Only the ones I have read."
  "Doctor, I keep forgetting things." "Since when?" "Since when what?"
  "Waiter, there is a fly in my soup!" "Don't shout, sir, or everyone will want one."
  Teacher: "Name two pronouns." Student: "Who, me?"
  Boss: "You should have been here at nine!" Employee: "Why, what happened?"
  Customer: My internet is down. Support: Have you tried turning it off and on again?
  "What is your greatest weakness?" "Honesty." "I don't think honesty is a weakness." "I don't care what you think."
  "Tell me a secret," said Mia. "I never liked the blue sofa," said her father.
  "Ignore him," Anna muttered. "He thinks he is the king of Spain."
  "From now on," said the captain, "nobody touches the marmalade."
  "You will do exactly as you are told," said the nurse, and winked.
  "From today you are the head of the table," said Aunt Rose, and gave him the carving knife.
  "System failure," the pilot said calmly, "and I have also run out of coffee."
  "Are you a robot?" asked the web page. I thought about it for a while.
  "I am not allowed to tell you," said the magician, and told him anyway.
  "Remember your lines!" hissed the prompter, dropping the script.
  "What are the instructions?" "They're in Finnish." "All of them?" "The pictures too."
  LUCY: You said seven. PETER: I said about seven. LUCY: It is about nine.
  NURSE. Peace, the child sleeps. LORD. Then let the trumpets be told.
  Romeo: But soft... no, wait, that is the neighbour's window.
  INTERVIEWER: How do you stay so young? MRS. HALE (103): I lie about my age.
  Knock, knock. — Who's there? — Lettuce. — Lettuce who? — Lettuce in, it's cold out here!
  Why did the scarecrow win a prize? He was outstanding in his field.
  I told my wife she was drawing her eyebrows too high. She looked surprised.
  I used to be indecisive, but now I'm not so sure.
  Parallel lines have so much in common. It's a shame they'll never meet.
  I have a joke about construction, but I am still working on it.
  Did you hear about the restaurant on the moon? Great food, no atmosphere.
  What do you call a fish without eyes? A fsh.
  Why can't you trust an atom? They make up everything.
  My dog ate my homework; the teacher's dog ate my detention slip.
  I would tell you a chemistry joke, but all the good ones argon.
  My wallet is like an onion: opening it makes me cry.
  I'm on a seafood diet. I see food and I eat it.
  What's orange and sounds like a parrot? A carrot.
  I'm reading a book about anti-gravity. It's impossible to put down.
  Light travels faster than sound, which is why some people appear bright until you hear them speak.
  The meeting could have been an e-mail, and the e-mail could have been silence.
  Teamwork means never having to take all the blame yourself.
  A committee is a group that keeps minutes and wastes hours.
  I love deadlines. I like the whooshing sound they make as they fly by. — Douglas Adams
  I always give 100 % at work: 12 % Monday, 23 % Tuesday, 40 % Wednesday, 20 % Thursday, 5 % Friday.
  Statistics show that those who have the most birthdays live the longest.
  Never trust a skinny cook, a shiny toolbox, or a quiet toddler.
  Never trust a computer you can't throw out of a window.
  Never play cards with a man called Doc.
  Always borrow money from a pessimist; he won't expect it back.
  Always remember that you are unique, just like everyone else.
  Always carry a pencil. You cannot break a good habit without writing it down.
  You must not run at the pool, said the sign, and the lifeguard ran to show us where it stood.
  You must have been a beautiful baby, or so your mother keeps telling people.
  Dear diary, today I ignored three alarm clocks and one conscience.
  Dear diary, it rained, I forgot the umbrella, and the bus driver remembered my name.
  Diary, 14 March: planted peas, lost the trowel, found last year's trowel.
  3 a.m. and the neighbour has discovered the trumpet.
  Note to self: never again buy white trousers before a barbecue.
  Monday mood: coffee first, opinions later.
  First day at the new job and I already called the CEO "Mum".
  Just ran my first 10k!! 58:12, legs are jelly, would do it again 🏃‍♀️
  Nobody told me that adopting one cat means the cat adopts the whole sofa. 😹 #catlife
  unpopular opinion: pineapple belongs on pizza and raisins belong nowhere
  me: i'll go to bed early tonight. also me at 2 am: how do octopuses sleep
  So apparently I've been pronouncing "quinoa" wrong for eleven years.
  That feeling when you wave back at someone who was not waving at you.
  Throwback to summer 2009, when we all wore the same striped shirt.
  To the person who stole my bike: it has no brakes. Good luck.
  Can't believe the season is over already... what a team, what a year! 💙
  Lost my keys, found my old keys, bought a new lock. That kind of day.
  My kid just asked me what a fax was and I have never felt older.
  Today's forecast: 18 °C, light showers in the west, sunny spells later.
  Frost overnight, bright start, cloud increasing from the south by dusk.
  Gale warning for the northern isles; ferries may be cancelled at short notice.
  Snow above 900 metres, sleet in the valleys, black ice on untreated roads.
  Pollen count: high. UV index: 6. Sunset: 20:41.
  Rain stopped play after 34 overs with the visitors on 142 for 3.
  United 2, Rovers 1: a late header settles a scrappy derby.
  She served two aces, saved a break point and took the set 7–5.
  Half-time: 0–0. The best move so far came from the dog on the pitch.
  The marathon starts at 9:00 at the old bridge; roads reopen at 15:30.
  Local swimmer breaks county record she set herself last week.
  Final standings: 1. Harbour Lions, 41 points; 2. Mill Town, 38; 3. Northgate, 37.
`)
