"""Tests of the code that runs in a shopper's browser; here it runs in Node."""
