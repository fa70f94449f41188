import "./app.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { followLanguage } from "./lib/i18n.svelte";
import { followPreferences } from "./lib/preferences.svelte";

const target = document.getElementById("app");
if (target === null) throw new Error("the page has no #app");

followPreferences();
void followLanguage().then(() => mount(App, { target }));
