import type { Airline, AirlineLeg, AirlinePassenger } from '../../contract/generated/types.ts';
import type { Random } from '../../text/random.ts';
import { dayMs, isoText } from '../clock.ts';

const carrier = { code: 'EX', name: 'Example Air', icao: 'EXA' } as const;

/** A there and a back; times are local to the airports. */
const flights = [
  {
    from: ['NO', 'Oslo', 'OSL'],
    to: ['FR', 'Paris', 'CDG'],
    leaves: '07:15:00+02:00',
    lands: '09:40:00+02:00',
  },
  {
    from: ['FR', 'Paris', 'CDG'],
    to: ['NO', 'Oslo', 'OSL'],
    leaves: '21:05:00+02:00',
    lands: '23:25:00+02:00',
  },
] as const;

/** Makes the airline data of one booking, for flights half a year after the end of the seeded past, with every field of the contract. */
export function seedAirline(random: Random, endMs: number): Airline {
  const bookingCode = random.fill('@@#@#@');
  const ticket = random.fill('117##########');
  return {
    passenger_name_record: bookingCode,
    booking_code: bookingCode,
    ticket_number: ticket,
    ticket_delivery_method: 'electronic',
    issued_at: `${dayAt(endMs - 17 * dayMs)}T10:30:00+00:00`,
    issued_address: 'Skippergata 12, Oslo',
    travel_agency_code: random.fill('########'),
    travel_agency_name: 'Fjord & Fells Travel',
    travel_agency_invoice_number: random.fill('INV-#####'),
    travel_agency_plan_name: `Summer ${dayAt(endMs + outboundMs).slice(0, 4)}`,
    restricted_ticket: random.chance(0.5),
    issuing_carrier_code: carrier.code,
    issuing_carrier_name: carrier.name,
    issuing_iata_designator: carrier.code,
    issuing_icao_code: carrier.icao,
    reservation_system: 'EXRES',
    is_cardholder_traveling: true,
    passengers: [passenger(random, ticket)],
    legs: flights.map((flight, index) => leg(random, flight, { index, endMs })),
  };
}

function passenger(random: Random, ticket: string): AirlinePassenger {
  return {
    title: 'Ms',
    first_name: 'Ingrid',
    last_name: 'Åsgård-Solberg',
    email_address: 'ingrid.solberg@example.com',
    phone_number: '+4700000117',
    passport_number: 'EXAMPLE0117',
    ticket_number: ticket,
    frequent_flyer_number: random.fill('EX########'),
    date_of_birth: '1988-05-17',
    age_group: 'adult',
  };
}

/** From the end of the seeded past to the first flight. */
const outboundMs = 201 * dayMs;

function dayAt(milliseconds: number): string {
  return isoText(milliseconds).slice(0, 'YYYY-MM-DD'.length);
}

function leg(
  random: Random,
  flight: (typeof flights)[number],
  { index, endMs }: { readonly index: number; readonly endMs: number },
): AirlineLeg {
  const [departureCountry, departureCity, departureAirport] = flight.from;
  const [arrivalCountry, arrivalCity, arrivalAirport] = flight.to;
  const day = dayAt(endMs + outboundMs + index * 7 * dayMs);
  return {
    carrier_code: carrier.code,
    carrier_name: carrier.name,
    iata_designator: carrier.code,
    icao_code: carrier.icao,
    flight_number: random.fill('EX###'),
    departure_at: `${day}T${flight.leaves}`,
    departure_country: departureCountry,
    departure_city: departureCity,
    departure_airport: departureAirport,
    arrival_at: `${day}T${flight.lands}`,
    arrival_country: arrivalCountry,
    arrival_city: arrivalCity,
    arrival_airport: arrivalAirport,
    fare_basis_code: 'YFLEX',
    flight_class: 'Y',
    stop_over: false,
    route_type: 'round_trip',
    coupon_number: String(index + 1),
    fare_amount: 18_900,
    fee_amount: 0,
    tax_amount: 2_340,
    departure_tax_amount: 890,
    seat_class: 'economy',
  };
}
