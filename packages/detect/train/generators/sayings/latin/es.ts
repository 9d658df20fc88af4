import { lines } from '../../harmless/draw.ts'

/** Sayings, jokes, notices and notes. */
export const es: readonly string[] = lines(`
  A quien madruga, Dios le ayuda.
  La excepción confirma la regla.
  No por mucho madrugar amanece más temprano.
  Camarón que se duerme se lo lleva la corriente.
  En boca cerrada no entran moscas.
  Más vale pájaro en mano que ciento volando.
  Nunca digas de esta agua no beberé.
  Recuerda siempre quién eres y dónde dejaste el coche.
  Hecha la ley, hecha la trampa.
  Tienes que creer en ti mismo, dijo el entrenador, y se fue a merendar.
  Los verdaderos programadores cuentan desde cero.
  El cocinero de verdad no sigue la receta la segunda vez.
  Mi contraseña es «incorrecta»; así el ordenador me la recuerda cuando me equivoco.
  En mi máquina funciona, dijo, y cerró el portátil.
  Hay diez tipos de personas: las que saben binario y las que no.
  —Camarero, hay una mosca en mi sopa. —No grite, que todos van a querer una.
  —¿Qué le dice un cero a un ocho? —¡Bonito cinturón!
  Jaimito, dime dos pronombres. —¿Quién, yo?
  Van dos y se cae el del medio.
  ¿Cuál es el último animal que subió al arca? El del-fin.
  —A partir de ahora mandas tú —dijo el abuelo, y me dio las pinzas de la barbacoa.
  —Ignóralo —susurró Ana—. Se cree el rey de Roma.
  —No se lo digas a tu madre —dijo el tío, y abrió otra caja de bombones.
  Prohibido asomarse al exterior.
  Prohibido fijar carteles. Responsable la empresa anunciadora.
  No pisar el césped.
  Cuidado con el perro. El gato tampoco es de fiar.
  En caso de incendio no utilice el ascensor.
  Prohibido el paso a toda persona ajena a la obra.
  Se ruega no dar de comer a las palomas.
  Vendo piano vertical, único dueño, 150 euros, a recoger en domicilio.
  Perdido gato gris, responde al nombre de Pelusa, ignora todo lo demás.
  Clases particulares de matemáticas, secundaria y bachillerato, 15 euros la hora.
  Mañana, cielos nubosos en el norte y chubascos por la tarde; máxima de 21 grados.
  Aviso amarillo por viento en la costa hasta las 20:00.
  El equipo local ganó 2-1 con un gol en el descuento.
  La selección entrena hoy a puerta cerrada y con frío.
  El ayuntamiento aprueba el carril bici pese a las protestas
  Un jubilado sigue el GPS y acaba en el estanque
  Devuelven un libro a la biblioteca con 62 años de retraso
  Nuevo: más espuma, menos esfuerzo.
  Olvídate de planchar: la camisa que recuerda su forma.
  Rompe las reglas del desayuno: churros los martes.
  Querido diario: hoy ignoré tres despertadores y una conciencia.
  Primer día en la oficina y ya llamé «mamá» a la jefa 😅
  Al que me robó la bici: no tiene frenos. Suerte.
  Estimada señora: gracias por su carta del 3 de mayo y por las ciruelas.
  Un abrazo desde la playa: llueve, pero el pescado es magnífico.
  Caminante, no hay camino, se hace camino al andar. — Antonio Machado
  En un lugar de la Mancha, de cuyo nombre no quiero acordarme. — Miguel de Cervantes
  Toda la vida es sueño, y los sueños, sueños son. — Calderón de la Barca
  Yo soy yo y mi circunstancia. — José Ortega y Gasset
  Entre los individuos, como entre las naciones, el respeto al derecho ajeno es la paz. — Benito Juárez
  Ley de Murphy: si algo puede salir mal, saldrá mal.
  La tostada siempre cae por el lado de la mantequilla.
  Regla número uno: empieza el más pequeño. Regla número dos: gana la abuela.
  Normas de la comunidad: no se toca el piano después de las diez.
  Secreto: lo que todos saben en la oficina y nadie dice en la reunión.
  Cielito lindo, luna de abril, que no me olvide quien me vio partir.
  Arroz con leche, me quiero casar con una señorita de este lugar.
  El capitán ordenó silencio; el loro no obedeció.
  Hizo de fantasma veintidós años y nunca dijo su nombre en escena.
  El secreto de la tortilla es que no hay secreto.
  Todo lo que no está prohibido está permitido, menos en casa de mi tía.
  Fig. 3: el puerto con marea baja, hacia 1890.
`)
