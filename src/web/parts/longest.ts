/** The most characters of each text, as the API has them. A test compares them. */
export const longest: Readonly<Record<string, number>> = {
  access_notes: 300,
  apartment_number: 32,
  building_section: 100,
  email: 320,
  full_name: 200,
  guest: 200,
  name: 100,
  note: 300,
  notes: 300,
  phone_number: 32,
  reason: 300,
  spot_number: 32,
  url: 2_000,
  vehicle: 16,
};
