// Generated from openapi/openapi.yaml by scripts/generate-contract.ts; do not edit.
// @ts-nocheck: written by Ajv.
import { formats, lengthOf, type Validator } from '../compiled-schema.ts';

const schema33 = {"type":"object","properties":{"city":{"type":["string","null"],"maxLength":100},"country":{"type":["string","null"],"pattern":"^[A-Z]{2}$"},"postal_code":{"type":["string","null"],"maxLength":50},"state":{"type":["string","null"],"maxLength":255},"state_code":{"type":["string","null"],"pattern":"^[A-Z]{2}-[A-Z0-9]{1,3}$"},"house_number_or_name":{"type":["string","null"],"maxLength":255},"line1":{"type":["string","null"],"maxLength":255},"line2":{"type":["string","null"],"maxLength":255},"organization":{"type":["string","null"],"maxLength":255}}};
const func1 = lengthOf;
const pattern4 = new RegExp("^\\+[1-9]\\d{1,14}$", "u");
const pattern5 = new RegExp("^[A-Z]{2}$", "u");
const pattern6 = new RegExp("^[A-Z]{2}-[A-Z0-9]{1,3}$", "u");

function validate21(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate21.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.first_name !== undefined){
let data0 = data.first_name;
if(typeof data0 === "string"){
if(func1(data0) > 255){
const err0 = {instancePath:instancePath+"/first_name",schemaPath:"#/properties/first_name/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(func1(data0) < 1){
const err1 = {instancePath:instancePath+"/first_name",schemaPath:"#/properties/first_name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
else {
const err2 = {instancePath:instancePath+"/first_name",schemaPath:"#/properties/first_name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.last_name !== undefined){
let data1 = data.last_name;
if(typeof data1 === "string"){
if(func1(data1) > 255){
const err3 = {instancePath:instancePath+"/last_name",schemaPath:"#/properties/last_name/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(func1(data1) < 1){
const err4 = {instancePath:instancePath+"/last_name",schemaPath:"#/properties/last_name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/last_name",schemaPath:"#/properties/last_name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.email_address !== undefined){
let data2 = data.email_address;
if(typeof data2 === "string"){
if(func1(data2) > 320){
const err6 = {instancePath:instancePath+"/email_address",schemaPath:"#/properties/email_address/maxLength",keyword:"maxLength",params:{limit: 320},message:"must NOT have more than 320 characters"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(func1(data2) < 1){
const err7 = {instancePath:instancePath+"/email_address",schemaPath:"#/properties/email_address/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/email_address",schemaPath:"#/properties/email_address/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.phone_number !== undefined){
let data3 = data.phone_number;
if(typeof data3 === "string"){
if(func1(data3) > 50){
const err9 = {instancePath:instancePath+"/phone_number",schemaPath:"#/properties/phone_number/maxLength",keyword:"maxLength",params:{limit: 50},message:"must NOT have more than 50 characters"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(func1(data3) < 1){
const err10 = {instancePath:instancePath+"/phone_number",schemaPath:"#/properties/phone_number/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(!pattern4.test(data3)){
const err11 = {instancePath:instancePath+"/phone_number",schemaPath:"#/properties/phone_number/pattern",keyword:"pattern",params:{pattern: "^\\+[1-9]\\d{1,14}$"},message:"must match pattern \""+"^\\+[1-9]\\d{1,14}$"+"\""};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/phone_number",schemaPath:"#/properties/phone_number/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.address !== undefined){
let data4 = data.address;
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
if(data4.city !== undefined){
let data5 = data4.city;
if((typeof data5 !== "string") && (data5 !== null)){
const err13 = {instancePath:instancePath+"/address/city",schemaPath:"#/components/schemas/Address/properties/city/type",keyword:"type",params:{type: schema33.properties.city.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(typeof data5 === "string"){
if(func1(data5) > 100){
const err14 = {instancePath:instancePath+"/address/city",schemaPath:"#/components/schemas/Address/properties/city/maxLength",keyword:"maxLength",params:{limit: 100},message:"must NOT have more than 100 characters"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
}
if(data4.country !== undefined){
let data6 = data4.country;
if((typeof data6 !== "string") && (data6 !== null)){
const err15 = {instancePath:instancePath+"/address/country",schemaPath:"#/components/schemas/Address/properties/country/type",keyword:"type",params:{type: schema33.properties.country.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if(typeof data6 === "string"){
if(!pattern5.test(data6)){
const err16 = {instancePath:instancePath+"/address/country",schemaPath:"#/components/schemas/Address/properties/country/pattern",keyword:"pattern",params:{pattern: "^[A-Z]{2}$"},message:"must match pattern \""+"^[A-Z]{2}$"+"\""};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
}
if(data4.postal_code !== undefined){
let data7 = data4.postal_code;
if((typeof data7 !== "string") && (data7 !== null)){
const err17 = {instancePath:instancePath+"/address/postal_code",schemaPath:"#/components/schemas/Address/properties/postal_code/type",keyword:"type",params:{type: schema33.properties.postal_code.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
if(typeof data7 === "string"){
if(func1(data7) > 50){
const err18 = {instancePath:instancePath+"/address/postal_code",schemaPath:"#/components/schemas/Address/properties/postal_code/maxLength",keyword:"maxLength",params:{limit: 50},message:"must NOT have more than 50 characters"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
}
if(data4.state !== undefined){
let data8 = data4.state;
if((typeof data8 !== "string") && (data8 !== null)){
const err19 = {instancePath:instancePath+"/address/state",schemaPath:"#/components/schemas/Address/properties/state/type",keyword:"type",params:{type: schema33.properties.state.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if(typeof data8 === "string"){
if(func1(data8) > 255){
const err20 = {instancePath:instancePath+"/address/state",schemaPath:"#/components/schemas/Address/properties/state/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
}
if(data4.state_code !== undefined){
let data9 = data4.state_code;
if((typeof data9 !== "string") && (data9 !== null)){
const err21 = {instancePath:instancePath+"/address/state_code",schemaPath:"#/components/schemas/Address/properties/state_code/type",keyword:"type",params:{type: schema33.properties.state_code.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
if(typeof data9 === "string"){
if(!pattern6.test(data9)){
const err22 = {instancePath:instancePath+"/address/state_code",schemaPath:"#/components/schemas/Address/properties/state_code/pattern",keyword:"pattern",params:{pattern: "^[A-Z]{2}-[A-Z0-9]{1,3}$"},message:"must match pattern \""+"^[A-Z]{2}-[A-Z0-9]{1,3}$"+"\""};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
}
if(data4.house_number_or_name !== undefined){
let data10 = data4.house_number_or_name;
if((typeof data10 !== "string") && (data10 !== null)){
const err23 = {instancePath:instancePath+"/address/house_number_or_name",schemaPath:"#/components/schemas/Address/properties/house_number_or_name/type",keyword:"type",params:{type: schema33.properties.house_number_or_name.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
if(typeof data10 === "string"){
if(func1(data10) > 255){
const err24 = {instancePath:instancePath+"/address/house_number_or_name",schemaPath:"#/components/schemas/Address/properties/house_number_or_name/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
}
if(data4.line1 !== undefined){
let data11 = data4.line1;
if((typeof data11 !== "string") && (data11 !== null)){
const err25 = {instancePath:instancePath+"/address/line1",schemaPath:"#/components/schemas/Address/properties/line1/type",keyword:"type",params:{type: schema33.properties.line1.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
if(typeof data11 === "string"){
if(func1(data11) > 255){
const err26 = {instancePath:instancePath+"/address/line1",schemaPath:"#/components/schemas/Address/properties/line1/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
}
if(data4.line2 !== undefined){
let data12 = data4.line2;
if((typeof data12 !== "string") && (data12 !== null)){
const err27 = {instancePath:instancePath+"/address/line2",schemaPath:"#/components/schemas/Address/properties/line2/type",keyword:"type",params:{type: schema33.properties.line2.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
if(typeof data12 === "string"){
if(func1(data12) > 255){
const err28 = {instancePath:instancePath+"/address/line2",schemaPath:"#/components/schemas/Address/properties/line2/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
}
if(data4.organization !== undefined){
let data13 = data4.organization;
if((typeof data13 !== "string") && (data13 !== null)){
const err29 = {instancePath:instancePath+"/address/organization",schemaPath:"#/components/schemas/Address/properties/organization/type",keyword:"type",params:{type: schema33.properties.organization.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
if(typeof data13 === "string"){
if(func1(data13) > 255){
const err30 = {instancePath:instancePath+"/address/organization",schemaPath:"#/components/schemas/Address/properties/organization/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters"};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
}
}
else {
const err31 = {instancePath:instancePath+"/address",schemaPath:"#/components/schemas/Address/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
}
else {
const err32 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
validate21.errors = vErrors;
return errors === 0;
}
validate21.evaluated = {"props":{"first_name":true,"last_name":true,"email_address":true,"phone_number":true,"address":true},"dynamicProps":false,"dynamicItems":false};

const schema34 = {"type":"object","properties":{"cart_items":{"type":["array","null"],"items":{"$ref":"#/components/schemas/CartItem"}},"metadata":{"anyOf":[{"$ref":"#/components/schemas/Metadata"},{"type":"null"}]},"airline":{"anyOf":[{"$ref":"#/components/schemas/Airline"},{"type":"null"}]}}};
const schema35 = {"type":"object","properties":{"name":{"type":"string"},"quantity":{"type":"integer"},"unit_amount":{"type":"integer"},"discount_amount":{"type":["integer","null"]},"tax_amount":{"type":["integer","null"]},"external_identifier":{"type":["string","null"]},"sku":{"type":["string","null"]},"product_url":{"type":["string","null"]},"image_url":{"type":["string","null"]},"categories":{"type":["array","null"],"items":{"type":"string"}},"product_type":{"type":["string","null"]},"seller_country":{"type":["string","null"]}}};
const schema37 = {"type":"object","properties":{"passenger_name_record":{"type":["string","null"]},"booking_code":{"type":["string","null"]},"ticket_number":{"type":["string","null"]},"ticket_delivery_method":{"type":["string","null"]},"issued_at":{"type":["string","null"],"format":"date-time"},"issued_address":{"type":["string","null"]},"travel_agency_code":{"type":["string","null"]},"travel_agency_name":{"type":["string","null"]},"travel_agency_invoice_number":{"type":["string","null"]},"travel_agency_plan_name":{"type":["string","null"]},"restricted_ticket":{"type":["boolean","null"]},"issuing_carrier_code":{"type":["string","null"]},"issuing_carrier_name":{"type":["string","null"]},"issuing_iata_designator":{"type":["string","null"]},"issuing_icao_code":{"type":["string","null"]},"reservation_system":{"type":["string","null"]},"is_cardholder_traveling":{"type":["boolean","null"]},"passengers":{"type":["array","null"],"items":{"$ref":"#/components/schemas/AirlinePassenger"}},"legs":{"type":["array","null"],"items":{"$ref":"#/components/schemas/AirlineLeg"}}}};
const schema38 = {"type":"object","properties":{"title":{"type":["string","null"]},"first_name":{"type":["string","null"]},"last_name":{"type":["string","null"]},"email_address":{"type":["string","null"]},"phone_number":{"type":["string","null"]},"passport_number":{"type":["string","null"]},"ticket_number":{"type":["string","null"]},"frequent_flyer_number":{"type":["string","null"]},"date_of_birth":{"type":["string","null"],"format":"date"},"age_group":{"type":["string","null"]}}};
const schema39 = {"type":"object","properties":{"carrier_code":{"type":["string","null"]},"carrier_name":{"type":["string","null"]},"iata_designator":{"type":["string","null"]},"icao_code":{"type":["string","null"]},"flight_number":{"type":["string","null"]},"departure_at":{"type":["string","null"],"format":"date-time"},"departure_country":{"type":["string","null"]},"departure_city":{"type":["string","null"]},"departure_airport":{"type":["string","null"]},"arrival_at":{"type":["string","null"],"format":"date-time"},"arrival_country":{"type":["string","null"]},"arrival_city":{"type":["string","null"]},"arrival_airport":{"type":["string","null"]},"fare_basis_code":{"type":["string","null"]},"flight_class":{"type":["string","null"]},"stop_over":{"type":["boolean","null"]},"route_type":{"type":["string","null"]},"coupon_number":{"type":["string","null"]},"fare_amount":{"type":["integer","null"]},"fee_amount":{"type":["integer","null"]},"tax_amount":{"type":["integer","null"]},"departure_tax_amount":{"type":["integer","null"]},"seat_class":{"type":["string","null"]}}};
const formats0 = formats["date-time"];
const formats2 = formats.date;

function validate23(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate23.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.passenger_name_record !== undefined){
let data0 = data.passenger_name_record;
if((typeof data0 !== "string") && (data0 !== null)){
const err0 = {instancePath:instancePath+"/passenger_name_record",schemaPath:"#/properties/passenger_name_record/type",keyword:"type",params:{type: schema37.properties.passenger_name_record.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.booking_code !== undefined){
let data1 = data.booking_code;
if((typeof data1 !== "string") && (data1 !== null)){
const err1 = {instancePath:instancePath+"/booking_code",schemaPath:"#/properties/booking_code/type",keyword:"type",params:{type: schema37.properties.booking_code.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.ticket_number !== undefined){
let data2 = data.ticket_number;
if((typeof data2 !== "string") && (data2 !== null)){
const err2 = {instancePath:instancePath+"/ticket_number",schemaPath:"#/properties/ticket_number/type",keyword:"type",params:{type: schema37.properties.ticket_number.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.ticket_delivery_method !== undefined){
let data3 = data.ticket_delivery_method;
if((typeof data3 !== "string") && (data3 !== null)){
const err3 = {instancePath:instancePath+"/ticket_delivery_method",schemaPath:"#/properties/ticket_delivery_method/type",keyword:"type",params:{type: schema37.properties.ticket_delivery_method.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.issued_at !== undefined){
let data4 = data.issued_at;
if((typeof data4 !== "string") && (data4 !== null)){
const err4 = {instancePath:instancePath+"/issued_at",schemaPath:"#/properties/issued_at/type",keyword:"type",params:{type: schema37.properties.issued_at.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(typeof data4 === "string"){
if(!(formats0(data4))){
const err5 = {instancePath:instancePath+"/issued_at",schemaPath:"#/properties/issued_at/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
if(data.issued_address !== undefined){
let data5 = data.issued_address;
if((typeof data5 !== "string") && (data5 !== null)){
const err6 = {instancePath:instancePath+"/issued_address",schemaPath:"#/properties/issued_address/type",keyword:"type",params:{type: schema37.properties.issued_address.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.travel_agency_code !== undefined){
let data6 = data.travel_agency_code;
if((typeof data6 !== "string") && (data6 !== null)){
const err7 = {instancePath:instancePath+"/travel_agency_code",schemaPath:"#/properties/travel_agency_code/type",keyword:"type",params:{type: schema37.properties.travel_agency_code.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.travel_agency_name !== undefined){
let data7 = data.travel_agency_name;
if((typeof data7 !== "string") && (data7 !== null)){
const err8 = {instancePath:instancePath+"/travel_agency_name",schemaPath:"#/properties/travel_agency_name/type",keyword:"type",params:{type: schema37.properties.travel_agency_name.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.travel_agency_invoice_number !== undefined){
let data8 = data.travel_agency_invoice_number;
if((typeof data8 !== "string") && (data8 !== null)){
const err9 = {instancePath:instancePath+"/travel_agency_invoice_number",schemaPath:"#/properties/travel_agency_invoice_number/type",keyword:"type",params:{type: schema37.properties.travel_agency_invoice_number.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.travel_agency_plan_name !== undefined){
let data9 = data.travel_agency_plan_name;
if((typeof data9 !== "string") && (data9 !== null)){
const err10 = {instancePath:instancePath+"/travel_agency_plan_name",schemaPath:"#/properties/travel_agency_plan_name/type",keyword:"type",params:{type: schema37.properties.travel_agency_plan_name.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.restricted_ticket !== undefined){
let data10 = data.restricted_ticket;
if((typeof data10 !== "boolean") && (data10 !== null)){
const err11 = {instancePath:instancePath+"/restricted_ticket",schemaPath:"#/properties/restricted_ticket/type",keyword:"type",params:{type: schema37.properties.restricted_ticket.type},message:"must be boolean,null"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.issuing_carrier_code !== undefined){
let data11 = data.issuing_carrier_code;
if((typeof data11 !== "string") && (data11 !== null)){
const err12 = {instancePath:instancePath+"/issuing_carrier_code",schemaPath:"#/properties/issuing_carrier_code/type",keyword:"type",params:{type: schema37.properties.issuing_carrier_code.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.issuing_carrier_name !== undefined){
let data12 = data.issuing_carrier_name;
if((typeof data12 !== "string") && (data12 !== null)){
const err13 = {instancePath:instancePath+"/issuing_carrier_name",schemaPath:"#/properties/issuing_carrier_name/type",keyword:"type",params:{type: schema37.properties.issuing_carrier_name.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.issuing_iata_designator !== undefined){
let data13 = data.issuing_iata_designator;
if((typeof data13 !== "string") && (data13 !== null)){
const err14 = {instancePath:instancePath+"/issuing_iata_designator",schemaPath:"#/properties/issuing_iata_designator/type",keyword:"type",params:{type: schema37.properties.issuing_iata_designator.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data.issuing_icao_code !== undefined){
let data14 = data.issuing_icao_code;
if((typeof data14 !== "string") && (data14 !== null)){
const err15 = {instancePath:instancePath+"/issuing_icao_code",schemaPath:"#/properties/issuing_icao_code/type",keyword:"type",params:{type: schema37.properties.issuing_icao_code.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.reservation_system !== undefined){
let data15 = data.reservation_system;
if((typeof data15 !== "string") && (data15 !== null)){
const err16 = {instancePath:instancePath+"/reservation_system",schemaPath:"#/properties/reservation_system/type",keyword:"type",params:{type: schema37.properties.reservation_system.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data.is_cardholder_traveling !== undefined){
let data16 = data.is_cardholder_traveling;
if((typeof data16 !== "boolean") && (data16 !== null)){
const err17 = {instancePath:instancePath+"/is_cardholder_traveling",schemaPath:"#/properties/is_cardholder_traveling/type",keyword:"type",params:{type: schema37.properties.is_cardholder_traveling.type},message:"must be boolean,null"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data.passengers !== undefined){
let data17 = data.passengers;
if((!(Array.isArray(data17))) && (data17 !== null)){
const err18 = {instancePath:instancePath+"/passengers",schemaPath:"#/properties/passengers/type",keyword:"type",params:{type: schema37.properties.passengers.type},message:"must be array,null"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
if(Array.isArray(data17)){
const len0 = data17.length;
for(let i0=0; i0<len0; i0++){
let data18 = data17[i0];
if(data18 && typeof data18 == "object" && !Array.isArray(data18)){
if(data18.title !== undefined){
let data19 = data18.title;
if((typeof data19 !== "string") && (data19 !== null)){
const err19 = {instancePath:instancePath+"/passengers/" + i0+"/title",schemaPath:"#/components/schemas/AirlinePassenger/properties/title/type",keyword:"type",params:{type: schema38.properties.title.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data18.first_name !== undefined){
let data20 = data18.first_name;
if((typeof data20 !== "string") && (data20 !== null)){
const err20 = {instancePath:instancePath+"/passengers/" + i0+"/first_name",schemaPath:"#/components/schemas/AirlinePassenger/properties/first_name/type",keyword:"type",params:{type: schema38.properties.first_name.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data18.last_name !== undefined){
let data21 = data18.last_name;
if((typeof data21 !== "string") && (data21 !== null)){
const err21 = {instancePath:instancePath+"/passengers/" + i0+"/last_name",schemaPath:"#/components/schemas/AirlinePassenger/properties/last_name/type",keyword:"type",params:{type: schema38.properties.last_name.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data18.email_address !== undefined){
let data22 = data18.email_address;
if((typeof data22 !== "string") && (data22 !== null)){
const err22 = {instancePath:instancePath+"/passengers/" + i0+"/email_address",schemaPath:"#/components/schemas/AirlinePassenger/properties/email_address/type",keyword:"type",params:{type: schema38.properties.email_address.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data18.phone_number !== undefined){
let data23 = data18.phone_number;
if((typeof data23 !== "string") && (data23 !== null)){
const err23 = {instancePath:instancePath+"/passengers/" + i0+"/phone_number",schemaPath:"#/components/schemas/AirlinePassenger/properties/phone_number/type",keyword:"type",params:{type: schema38.properties.phone_number.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data18.passport_number !== undefined){
let data24 = data18.passport_number;
if((typeof data24 !== "string") && (data24 !== null)){
const err24 = {instancePath:instancePath+"/passengers/" + i0+"/passport_number",schemaPath:"#/components/schemas/AirlinePassenger/properties/passport_number/type",keyword:"type",params:{type: schema38.properties.passport_number.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data18.ticket_number !== undefined){
let data25 = data18.ticket_number;
if((typeof data25 !== "string") && (data25 !== null)){
const err25 = {instancePath:instancePath+"/passengers/" + i0+"/ticket_number",schemaPath:"#/components/schemas/AirlinePassenger/properties/ticket_number/type",keyword:"type",params:{type: schema38.properties.ticket_number.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data18.frequent_flyer_number !== undefined){
let data26 = data18.frequent_flyer_number;
if((typeof data26 !== "string") && (data26 !== null)){
const err26 = {instancePath:instancePath+"/passengers/" + i0+"/frequent_flyer_number",schemaPath:"#/components/schemas/AirlinePassenger/properties/frequent_flyer_number/type",keyword:"type",params:{type: schema38.properties.frequent_flyer_number.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
if(data18.date_of_birth !== undefined){
let data27 = data18.date_of_birth;
if((typeof data27 !== "string") && (data27 !== null)){
const err27 = {instancePath:instancePath+"/passengers/" + i0+"/date_of_birth",schemaPath:"#/components/schemas/AirlinePassenger/properties/date_of_birth/type",keyword:"type",params:{type: schema38.properties.date_of_birth.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
if(typeof data27 === "string"){
if(!(formats2(data27))){
const err28 = {instancePath:instancePath+"/passengers/" + i0+"/date_of_birth",schemaPath:"#/components/schemas/AirlinePassenger/properties/date_of_birth/format",keyword:"format",params:{format: "date"},message:"must match format \""+"date"+"\""};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
}
if(data18.age_group !== undefined){
let data28 = data18.age_group;
if((typeof data28 !== "string") && (data28 !== null)){
const err29 = {instancePath:instancePath+"/passengers/" + i0+"/age_group",schemaPath:"#/components/schemas/AirlinePassenger/properties/age_group/type",keyword:"type",params:{type: schema38.properties.age_group.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
}
else {
const err30 = {instancePath:instancePath+"/passengers/" + i0,schemaPath:"#/components/schemas/AirlinePassenger/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
}
}
if(data.legs !== undefined){
let data29 = data.legs;
if((!(Array.isArray(data29))) && (data29 !== null)){
const err31 = {instancePath:instancePath+"/legs",schemaPath:"#/properties/legs/type",keyword:"type",params:{type: schema37.properties.legs.type},message:"must be array,null"};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
if(Array.isArray(data29)){
const len1 = data29.length;
for(let i1=0; i1<len1; i1++){
let data30 = data29[i1];
if(data30 && typeof data30 == "object" && !Array.isArray(data30)){
if(data30.carrier_code !== undefined){
let data31 = data30.carrier_code;
if((typeof data31 !== "string") && (data31 !== null)){
const err32 = {instancePath:instancePath+"/legs/" + i1+"/carrier_code",schemaPath:"#/components/schemas/AirlineLeg/properties/carrier_code/type",keyword:"type",params:{type: schema39.properties.carrier_code.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
if(data30.carrier_name !== undefined){
let data32 = data30.carrier_name;
if((typeof data32 !== "string") && (data32 !== null)){
const err33 = {instancePath:instancePath+"/legs/" + i1+"/carrier_name",schemaPath:"#/components/schemas/AirlineLeg/properties/carrier_name/type",keyword:"type",params:{type: schema39.properties.carrier_name.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
if(data30.iata_designator !== undefined){
let data33 = data30.iata_designator;
if((typeof data33 !== "string") && (data33 !== null)){
const err34 = {instancePath:instancePath+"/legs/" + i1+"/iata_designator",schemaPath:"#/components/schemas/AirlineLeg/properties/iata_designator/type",keyword:"type",params:{type: schema39.properties.iata_designator.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
if(data30.icao_code !== undefined){
let data34 = data30.icao_code;
if((typeof data34 !== "string") && (data34 !== null)){
const err35 = {instancePath:instancePath+"/legs/" + i1+"/icao_code",schemaPath:"#/components/schemas/AirlineLeg/properties/icao_code/type",keyword:"type",params:{type: schema39.properties.icao_code.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
if(data30.flight_number !== undefined){
let data35 = data30.flight_number;
if((typeof data35 !== "string") && (data35 !== null)){
const err36 = {instancePath:instancePath+"/legs/" + i1+"/flight_number",schemaPath:"#/components/schemas/AirlineLeg/properties/flight_number/type",keyword:"type",params:{type: schema39.properties.flight_number.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
if(data30.departure_at !== undefined){
let data36 = data30.departure_at;
if((typeof data36 !== "string") && (data36 !== null)){
const err37 = {instancePath:instancePath+"/legs/" + i1+"/departure_at",schemaPath:"#/components/schemas/AirlineLeg/properties/departure_at/type",keyword:"type",params:{type: schema39.properties.departure_at.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
if(typeof data36 === "string"){
if(!(formats0(data36))){
const err38 = {instancePath:instancePath+"/legs/" + i1+"/departure_at",schemaPath:"#/components/schemas/AirlineLeg/properties/departure_at/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
}
if(data30.departure_country !== undefined){
let data37 = data30.departure_country;
if((typeof data37 !== "string") && (data37 !== null)){
const err39 = {instancePath:instancePath+"/legs/" + i1+"/departure_country",schemaPath:"#/components/schemas/AirlineLeg/properties/departure_country/type",keyword:"type",params:{type: schema39.properties.departure_country.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
if(data30.departure_city !== undefined){
let data38 = data30.departure_city;
if((typeof data38 !== "string") && (data38 !== null)){
const err40 = {instancePath:instancePath+"/legs/" + i1+"/departure_city",schemaPath:"#/components/schemas/AirlineLeg/properties/departure_city/type",keyword:"type",params:{type: schema39.properties.departure_city.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
if(data30.departure_airport !== undefined){
let data39 = data30.departure_airport;
if((typeof data39 !== "string") && (data39 !== null)){
const err41 = {instancePath:instancePath+"/legs/" + i1+"/departure_airport",schemaPath:"#/components/schemas/AirlineLeg/properties/departure_airport/type",keyword:"type",params:{type: schema39.properties.departure_airport.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
if(data30.arrival_at !== undefined){
let data40 = data30.arrival_at;
if((typeof data40 !== "string") && (data40 !== null)){
const err42 = {instancePath:instancePath+"/legs/" + i1+"/arrival_at",schemaPath:"#/components/schemas/AirlineLeg/properties/arrival_at/type",keyword:"type",params:{type: schema39.properties.arrival_at.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
if(typeof data40 === "string"){
if(!(formats0(data40))){
const err43 = {instancePath:instancePath+"/legs/" + i1+"/arrival_at",schemaPath:"#/components/schemas/AirlineLeg/properties/arrival_at/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
}
}
if(data30.arrival_country !== undefined){
let data41 = data30.arrival_country;
if((typeof data41 !== "string") && (data41 !== null)){
const err44 = {instancePath:instancePath+"/legs/" + i1+"/arrival_country",schemaPath:"#/components/schemas/AirlineLeg/properties/arrival_country/type",keyword:"type",params:{type: schema39.properties.arrival_country.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
}
if(data30.arrival_city !== undefined){
let data42 = data30.arrival_city;
if((typeof data42 !== "string") && (data42 !== null)){
const err45 = {instancePath:instancePath+"/legs/" + i1+"/arrival_city",schemaPath:"#/components/schemas/AirlineLeg/properties/arrival_city/type",keyword:"type",params:{type: schema39.properties.arrival_city.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
}
if(data30.arrival_airport !== undefined){
let data43 = data30.arrival_airport;
if((typeof data43 !== "string") && (data43 !== null)){
const err46 = {instancePath:instancePath+"/legs/" + i1+"/arrival_airport",schemaPath:"#/components/schemas/AirlineLeg/properties/arrival_airport/type",keyword:"type",params:{type: schema39.properties.arrival_airport.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
if(data30.fare_basis_code !== undefined){
let data44 = data30.fare_basis_code;
if((typeof data44 !== "string") && (data44 !== null)){
const err47 = {instancePath:instancePath+"/legs/" + i1+"/fare_basis_code",schemaPath:"#/components/schemas/AirlineLeg/properties/fare_basis_code/type",keyword:"type",params:{type: schema39.properties.fare_basis_code.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
}
if(data30.flight_class !== undefined){
let data45 = data30.flight_class;
if((typeof data45 !== "string") && (data45 !== null)){
const err48 = {instancePath:instancePath+"/legs/" + i1+"/flight_class",schemaPath:"#/components/schemas/AirlineLeg/properties/flight_class/type",keyword:"type",params:{type: schema39.properties.flight_class.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
}
if(data30.stop_over !== undefined){
let data46 = data30.stop_over;
if((typeof data46 !== "boolean") && (data46 !== null)){
const err49 = {instancePath:instancePath+"/legs/" + i1+"/stop_over",schemaPath:"#/components/schemas/AirlineLeg/properties/stop_over/type",keyword:"type",params:{type: schema39.properties.stop_over.type},message:"must be boolean,null"};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
if(data30.route_type !== undefined){
let data47 = data30.route_type;
if((typeof data47 !== "string") && (data47 !== null)){
const err50 = {instancePath:instancePath+"/legs/" + i1+"/route_type",schemaPath:"#/components/schemas/AirlineLeg/properties/route_type/type",keyword:"type",params:{type: schema39.properties.route_type.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
}
if(data30.coupon_number !== undefined){
let data48 = data30.coupon_number;
if((typeof data48 !== "string") && (data48 !== null)){
const err51 = {instancePath:instancePath+"/legs/" + i1+"/coupon_number",schemaPath:"#/components/schemas/AirlineLeg/properties/coupon_number/type",keyword:"type",params:{type: schema39.properties.coupon_number.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
}
if(data30.fare_amount !== undefined){
let data49 = data30.fare_amount;
if((!((typeof data49 == "number") && (!(data49 % 1) && !isNaN(data49)))) && (data49 !== null)){
const err52 = {instancePath:instancePath+"/legs/" + i1+"/fare_amount",schemaPath:"#/components/schemas/AirlineLeg/properties/fare_amount/type",keyword:"type",params:{type: schema39.properties.fare_amount.type},message:"must be integer,null"};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
}
if(data30.fee_amount !== undefined){
let data50 = data30.fee_amount;
if((!((typeof data50 == "number") && (!(data50 % 1) && !isNaN(data50)))) && (data50 !== null)){
const err53 = {instancePath:instancePath+"/legs/" + i1+"/fee_amount",schemaPath:"#/components/schemas/AirlineLeg/properties/fee_amount/type",keyword:"type",params:{type: schema39.properties.fee_amount.type},message:"must be integer,null"};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
}
if(data30.tax_amount !== undefined){
let data51 = data30.tax_amount;
if((!((typeof data51 == "number") && (!(data51 % 1) && !isNaN(data51)))) && (data51 !== null)){
const err54 = {instancePath:instancePath+"/legs/" + i1+"/tax_amount",schemaPath:"#/components/schemas/AirlineLeg/properties/tax_amount/type",keyword:"type",params:{type: schema39.properties.tax_amount.type},message:"must be integer,null"};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
}
if(data30.departure_tax_amount !== undefined){
let data52 = data30.departure_tax_amount;
if((!((typeof data52 == "number") && (!(data52 % 1) && !isNaN(data52)))) && (data52 !== null)){
const err55 = {instancePath:instancePath+"/legs/" + i1+"/departure_tax_amount",schemaPath:"#/components/schemas/AirlineLeg/properties/departure_tax_amount/type",keyword:"type",params:{type: schema39.properties.departure_tax_amount.type},message:"must be integer,null"};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
}
if(data30.seat_class !== undefined){
let data53 = data30.seat_class;
if((typeof data53 !== "string") && (data53 !== null)){
const err56 = {instancePath:instancePath+"/legs/" + i1+"/seat_class",schemaPath:"#/components/schemas/AirlineLeg/properties/seat_class/type",keyword:"type",params:{type: schema39.properties.seat_class.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
}
}
else {
const err57 = {instancePath:instancePath+"/legs/" + i1,schemaPath:"#/components/schemas/AirlineLeg/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
}
}
}
}
else {
const err58 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
validate23.errors = vErrors;
return errors === 0;
}
validate23.evaluated = {"props":{"passenger_name_record":true,"booking_code":true,"ticket_number":true,"ticket_delivery_method":true,"issued_at":true,"issued_address":true,"travel_agency_code":true,"travel_agency_name":true,"travel_agency_invoice_number":true,"travel_agency_plan_name":true,"restricted_ticket":true,"issuing_carrier_code":true,"issuing_carrier_name":true,"issuing_iata_designator":true,"issuing_icao_code":true,"reservation_system":true,"is_cardholder_traveling":true,"passengers":true,"legs":true},"dynamicProps":false,"dynamicItems":false};


function validate22(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate22.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.cart_items !== undefined){
let data0 = data.cart_items;
if((!(Array.isArray(data0))) && (data0 !== null)){
const err0 = {instancePath:instancePath+"/cart_items",schemaPath:"#/properties/cart_items/type",keyword:"type",params:{type: schema34.properties.cart_items.type},message:"must be array,null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(Array.isArray(data0)){
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.name !== undefined){
if(typeof data1.name !== "string"){
const err1 = {instancePath:instancePath+"/cart_items/" + i0+"/name",schemaPath:"#/components/schemas/CartItem/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data1.quantity !== undefined){
let data3 = data1.quantity;
if(!((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3)))){
const err2 = {instancePath:instancePath+"/cart_items/" + i0+"/quantity",schemaPath:"#/components/schemas/CartItem/properties/quantity/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data1.unit_amount !== undefined){
let data4 = data1.unit_amount;
if(!((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4)))){
const err3 = {instancePath:instancePath+"/cart_items/" + i0+"/unit_amount",schemaPath:"#/components/schemas/CartItem/properties/unit_amount/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data1.discount_amount !== undefined){
let data5 = data1.discount_amount;
if((!((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5)))) && (data5 !== null)){
const err4 = {instancePath:instancePath+"/cart_items/" + i0+"/discount_amount",schemaPath:"#/components/schemas/CartItem/properties/discount_amount/type",keyword:"type",params:{type: schema35.properties.discount_amount.type},message:"must be integer,null"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data1.tax_amount !== undefined){
let data6 = data1.tax_amount;
if((!((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6)))) && (data6 !== null)){
const err5 = {instancePath:instancePath+"/cart_items/" + i0+"/tax_amount",schemaPath:"#/components/schemas/CartItem/properties/tax_amount/type",keyword:"type",params:{type: schema35.properties.tax_amount.type},message:"must be integer,null"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data1.external_identifier !== undefined){
let data7 = data1.external_identifier;
if((typeof data7 !== "string") && (data7 !== null)){
const err6 = {instancePath:instancePath+"/cart_items/" + i0+"/external_identifier",schemaPath:"#/components/schemas/CartItem/properties/external_identifier/type",keyword:"type",params:{type: schema35.properties.external_identifier.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data1.sku !== undefined){
let data8 = data1.sku;
if((typeof data8 !== "string") && (data8 !== null)){
const err7 = {instancePath:instancePath+"/cart_items/" + i0+"/sku",schemaPath:"#/components/schemas/CartItem/properties/sku/type",keyword:"type",params:{type: schema35.properties.sku.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data1.product_url !== undefined){
let data9 = data1.product_url;
if((typeof data9 !== "string") && (data9 !== null)){
const err8 = {instancePath:instancePath+"/cart_items/" + i0+"/product_url",schemaPath:"#/components/schemas/CartItem/properties/product_url/type",keyword:"type",params:{type: schema35.properties.product_url.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data1.image_url !== undefined){
let data10 = data1.image_url;
if((typeof data10 !== "string") && (data10 !== null)){
const err9 = {instancePath:instancePath+"/cart_items/" + i0+"/image_url",schemaPath:"#/components/schemas/CartItem/properties/image_url/type",keyword:"type",params:{type: schema35.properties.image_url.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data1.categories !== undefined){
let data11 = data1.categories;
if((!(Array.isArray(data11))) && (data11 !== null)){
const err10 = {instancePath:instancePath+"/cart_items/" + i0+"/categories",schemaPath:"#/components/schemas/CartItem/properties/categories/type",keyword:"type",params:{type: schema35.properties.categories.type},message:"must be array,null"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(Array.isArray(data11)){
const len1 = data11.length;
for(let i1=0; i1<len1; i1++){
if(typeof data11[i1] !== "string"){
const err11 = {instancePath:instancePath+"/cart_items/" + i0+"/categories/" + i1,schemaPath:"#/components/schemas/CartItem/properties/categories/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
}
if(data1.product_type !== undefined){
let data13 = data1.product_type;
if((typeof data13 !== "string") && (data13 !== null)){
const err12 = {instancePath:instancePath+"/cart_items/" + i0+"/product_type",schemaPath:"#/components/schemas/CartItem/properties/product_type/type",keyword:"type",params:{type: schema35.properties.product_type.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data1.seller_country !== undefined){
let data14 = data1.seller_country;
if((typeof data14 !== "string") && (data14 !== null)){
const err13 = {instancePath:instancePath+"/cart_items/" + i0+"/seller_country",schemaPath:"#/components/schemas/CartItem/properties/seller_country/type",keyword:"type",params:{type: schema35.properties.seller_country.type},message:"must be string,null"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
}
else {
const err14 = {instancePath:instancePath+"/cart_items/" + i0,schemaPath:"#/components/schemas/CartItem/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
}
}
if(data.metadata !== undefined){
let data15 = data.metadata;
const _errs33 = errors;
let valid7 = false;
const _errs34 = errors;
if(data15 && typeof data15 == "object" && !Array.isArray(data15)){
}
else {
const err15 = {instancePath:instancePath+"/metadata",schemaPath:"#/components/schemas/Metadata/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
var _valid0 = _errs34 === errors;
valid7 = valid7 || _valid0;
const _errs38 = errors;
if(data15 !== null){
const err16 = {instancePath:instancePath+"/metadata",schemaPath:"#/properties/metadata/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
var _valid0 = _errs38 === errors;
valid7 = valid7 || _valid0;
if(!valid7){
const err17 = {instancePath:instancePath+"/metadata",schemaPath:"#/properties/metadata/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
else {
errors = _errs33;
if(vErrors !== null){
if(_errs33){
vErrors.length = _errs33;
}
else {
vErrors = null;
}
}
}
}
if(data.airline !== undefined){
let data16 = data.airline;
const _errs41 = errors;
let valid9 = false;
const _errs42 = errors;
if(!(validate23(data16, {instancePath:instancePath+"/airline",parentData:data,parentDataProperty:"airline",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate23.errors : vErrors.concat(validate23.errors);
errors = vErrors.length;
}
var _valid1 = _errs42 === errors;
valid9 = valid9 || _valid1;
if(_valid1){
var props1 = {};
props1.passenger_name_record = true;
props1.booking_code = true;
props1.ticket_number = true;
props1.ticket_delivery_method = true;
props1.issued_at = true;
props1.issued_address = true;
props1.travel_agency_code = true;
props1.travel_agency_name = true;
props1.travel_agency_invoice_number = true;
props1.travel_agency_plan_name = true;
props1.restricted_ticket = true;
props1.issuing_carrier_code = true;
props1.issuing_carrier_name = true;
props1.issuing_iata_designator = true;
props1.issuing_icao_code = true;
props1.reservation_system = true;
props1.is_cardholder_traveling = true;
props1.passengers = true;
props1.legs = true;
}
const _errs43 = errors;
if(data16 !== null){
const err18 = {instancePath:instancePath+"/airline",schemaPath:"#/properties/airline/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
var _valid1 = _errs43 === errors;
valid9 = valid9 || _valid1;
if(!valid9){
const err19 = {instancePath:instancePath+"/airline",schemaPath:"#/properties/airline/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
else {
errors = _errs41;
if(vErrors !== null){
if(_errs41){
vErrors.length = _errs41;
}
else {
vErrors = null;
}
}
}
}
}
else {
const err20 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
validate22.errors = vErrors;
return errors === 0;
}
validate22.evaluated = {"props":{"cart_items":true,"metadata":true,"airline":true},"dynamicProps":false,"dynamicItems":false};


function validate25(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate25.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
}
else {
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
validate25.errors = vErrors;
return errors === 0;
}
validate25.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

/** The validator of each schema that a body can have, by its name. */
export const validators: Readonly<Record<string, Validator>> = {
  ShippingDetailCreate: validate21,
  CheckoutSessionUpdate: validate22,
  PaymentServiceSessionRequest: validate25,
};

/** The keywords that the description only assumes, as the end of their `schemaPath`. */
export const ASSUMED: ReadonlySet<string> = new Set([
  "#/components/schemas/Address/properties/city/maxLength",
  "#/components/schemas/Address/properties/country/pattern",
  "#/components/schemas/Address/properties/postal_code/maxLength",
  "#/components/schemas/Address/properties/state/maxLength",
  "#/components/schemas/Address/properties/state_code/pattern",
  "#/components/schemas/Address/properties/house_number_or_name/maxLength",
  "#/components/schemas/Address/properties/line1/maxLength",
  "#/components/schemas/Address/properties/line2/maxLength",
  "#/components/schemas/Address/properties/organization/maxLength"
]);
